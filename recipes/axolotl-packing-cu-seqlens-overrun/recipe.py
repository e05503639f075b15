"""Flash attention gets offsets that do not end where its rows end."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "axolotl==0.19.0", "accelerate==1.15.0",
#     "peft==0.21.2", "pyyaml==6.0.3", "addict==2.4.0", "datasets==5.2.0", "numpy==2.4.6",
#     "tokenizers==0.23.3",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "0.19.0"
# requires-dist = []
# ///
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from proof_look import look, meet

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet, snippet_text

HERE = Path(__file__).parent
OLD = ("transformers==4.52.4", "tokenizers==0.21.1", "huggingface_hub==0.30.2")


def flattened() -> dict[str, Any]:
    """What the page offers for copying, as it is printed there."""
    from failure import DOCUMENTS

    return dict(snippet("flatten", documents=DOCUMENTS)["batch"])


@reproduce(versions=OLD)
def the_guard_stops_it() -> None:
    """Save the guard as sitecustomize.py, and start a script that knows nothing of it."""
    Path("sitecustomize.py").write_text(snippet_text("guard"), "utf-8")
    Path("flash_attn.py").write_text("import proof_flash_attn\nproof_flash_attn.install()", "utf-8")
    path = os.pathsep.join([str(Path.cwd()), str(HERE), *sys.path])
    script = [sys.executable, str(HERE / "failure.py")]
    sys.exit(subprocess.run(script, env={**os.environ, "PYTHONPATH": path}, check=False).returncode)


@detect(found=True, versions=OLD)
def summed_mask() -> dict[str, Any]:
    """The mask numbers the documents, and transformers takes their sum for a length."""
    return look(pack="numbered")


@detect(found=False, control="summed-mask", versions=OLD)
def no_padding() -> dict[str, Any]:
    """The same row without padding: transformers drops the mask and reads position_ids."""
    return look(pack="unpadded")


@fix("position-ids", control="summed-mask", versions=OLD)
def flattened_on_4_52() -> dict[str, Any]:
    """No mask: position_ids that start again are the boundaries."""
    return look(pack=flattened)


@fix("packing-off", control="summed-mask", versions=OLD)
def one_document_per_row() -> dict[str, Any]:
    """A mask of zeros and ones, where a sum is a count."""
    return look(pack="padded")


@non_fix("boolean-mask", control="summed-mask", versions=OLD)
def cast_to_bool() -> dict[str, Any]:
    """Nothing runs over any more, and the documents become one."""
    return look(pack="boolean")


@non_fix("patch-the-model-module", control="summed-mask", versions=OLD)
def patch_qwen2() -> dict[str, Any]:
    """The name that patches for transformers before 4.43 replace."""
    return look(pack="numbered", patch="transformers.models.qwen2.modeling_qwen2")


@detect(found=True)
def summed_mask_today() -> dict[str, Any]:
    """Current transformers casts the mask itself: no error, and the documents meet."""
    return meet(pack="numbered")


@fix("position-ids", control="summed-mask-today")
def flattened_today() -> dict[str, Any]:
    """The same fix on current transformers."""
    return meet(pack=flattened)


@detect(found=True)
def two_rows_today() -> dict[str, Any]:
    """Positions mark the documents, but the batch has two rows: transformers does not look."""
    return meet(pack="two-rows")


if __name__ == "__main__":
    main(__file__)
