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

from proof_axolotl import configured, loaded
from proof_cuda import attend
from proof_look import flattened, look, meet
from proof_qwen import documents_of_qwen3_5, one_text
from proof_trl import best_fit, wrapped

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

HERE = Path(__file__).parent
OLD = ("transformers==4.52.4", "tokenizers==0.21.1", "huggingface_hub==0.30.2")
CASTS = ("transformers==4.53.0", "tokenizers==0.21.1", "huggingface_hub==0.30.2")
HUB = ("tokenizers==0.22.2", "huggingface_hub==1.17.0", "httpx==0.28.1", "httpcore==1.0.9")
TRL = ("trl==1.16.0",)
# What axolotl 0.5.0 and 0.5.1 pin. Neither installs from PyPI: its code comes from the repository.
NOVEMBER_2024 = (
    "transformers==4.46.3",
    "tokenizers==0.20.3",
    "huggingface_hub==0.26.5",
    "peft==0.13.2",
)
# Its model files look for flash-attn while they are imported.
CLONED = {
    "versions": NOVEMBER_2024, "programs": ("git",), "start": "cold",
    "record_once": "a clone of axolotl's repository at the tag of an old release",
}  # fmt: skip
CAST = ["transformers>=4.53"]  # the release that casts the mask to booleans
TODAY = ["transformers>=5.4"]  # Qwen3.5 is as it is today, and positions of two rows say nothing
GPU = {"on": "cuda", "gpu_memory_gib": 2, "timeout_s": 120}


# --- A mask that numbers documents, up to transformers 4.52 -------------------------------------


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


# --- axolotl 0.5.0, which replaced the wrong function -------------------------------------------


@detect(found=True, **CLONED)
def axolotl_0_5_0() -> dict[str, Any]:
    """The last bad release, with the flag that it takes for 'this model has remote code'."""
    return loaded(tag="v0.5.0", trust_remote_code=True)


@fix("upgrade-axolotl", control="axolotl-0-5-0", **CLONED)
def axolotl_0_5_1() -> dict[str, Any]:
    """The first good release, with the same flag."""
    return loaded(tag="v0.5.1", trust_remote_code=True)


@fix("upgrade-axolotl", control="axolotl-0-5-0", **CLONED)
def flag_off() -> dict[str, Any]:
    """The last bad release with trust_remote_code: false."""
    return loaded(tag="v0.5.0", trust_remote_code=False)


# --- Qwen3.5, without packing -------------------------------------------------------------------


@reproduce(versions=("transformers==5.3.0", *HUB))
def qwen3_5_on_5_3() -> dict[str, Any]:
    """The last release whose Qwen3.5 hands on position_ids of three dimensions."""
    return one_text()


@fix("upgrade-transformers", control="qwen3-5-on-5-3", versions=("transformers==5.4.0", *HUB))
def qwen3_5_on_5_4() -> dict[str, Any]:
    """The first release that does not."""
    return one_text()


# --- Nothing overruns, and documents see each other ---------------------------------------------


@detect(found=False, control="summed-mask", versions=CASTS)
def summed_mask_on_4_53() -> dict[str, Any]:
    """The first release that casts the mask to booleans: the overrun ends, and a leak begins."""
    return look(pack="numbered")


@detect(found=True, needs=CAST)
def summed_mask_today() -> dict[str, Any]:
    """Current transformers casts the mask itself: no error, and the documents meet."""
    return meet(pack="numbered")


@detect(found=True, needs=TODAY)
def two_rows_today() -> dict[str, Any]:
    """Positions mark the documents, but the batch has two rows: transformers does not look."""
    return meet(pack="two-rows")


@detect(found=True, versions=TRL)
def trl_wrapped() -> dict[str, Any]:
    """packing_strategy: wrapped."""
    return meet(pack=wrapped)


@detect(found=True, needs=TODAY)
def qwen3_5_flattened() -> dict[str, Any]:
    """The page's collator and current transformers: a layer of linear attention mixes documents."""
    return documents_of_qwen3_5(boundaries=False)


@detect(found=False, control="qwen3-5-flattened", needs=TODAY)
def qwen3_5_boundaries() -> dict[str, Any]:
    """The same collator hands on its boundaries too: without its kernels the layer refuses."""
    return documents_of_qwen3_5(boundaries=True)


@fix("position-ids", control="summed-mask-today", needs=CAST)
def flattened_today() -> dict[str, Any]:
    """The same fix on current transformers."""
    return meet(pack=flattened)


@fix("position-ids", control="summed-mask-today", needs=CAST)
def axolotl_0_19() -> dict[str, Any]:
    """The current release of axolotl with the configuration of the page."""
    return meet(pack=configured)


@fix("position-ids", control="trl-wrapped", versions=TRL)
def trl_best_fit() -> dict[str, Any]:
    """packing_strategy: bfd."""
    return meet(pack=best_fit)


# --- What a GPU makes of such offsets -----------------------------------------------------------


@reproduce(**GPU, env={"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"})
def far_past_the_rows() -> None:
    """Offsets of a mask that numbers 128 documents of 64 tokens; every tensor stands alone."""
    attend(128 * 64, [0, sum(number * 64 for number in range(1, 129))], heads=64)


@detect(found=True, **GPU)
def a_small_overrun() -> dict[str, Any]:
    """Seven rows, and offsets that end at fifteen."""
    return {"found": attend(7, [0, 15])}


@detect(found=False, control="a-small-overrun", **GPU)
def counted_offsets() -> dict[str, Any]:
    """The same seven rows, and offsets that end there."""
    return {"found": attend(7, [0, 2, 4, 7])}


if __name__ == "__main__":
    main(__file__)
