"""axolotl's own code: the last bad release, the first good one, and what it does today."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import yaml
from proof_look import guarded, meet, run

from fixbook.recipe import detect, fix, skip

# What v0.5.0 and v0.5.1 pin. Neither installs from PyPI: its code comes from the repository.
NOVEMBER_2024 = (
    "transformers==4.46.3",
    "tokenizers==0.20.3",
    "huggingface_hub==0.26.5",
    "peft==0.13.2",
)
REPOSITORY = "https://github.com/axolotl-ai-cloud/axolotl"
# Its model files look for flash-attn while they are imported.
CLONED = {
    "versions": NOVEMBER_2024, "programs": ("git",), "start": "cold",
    "record_once": "a clone of axolotl's repository at the tag of an old release",
}  # fmt: skip


def leave_out(*modules: str, **names: Any) -> None:
    """Let axolotl import packages that it names at the top of a file and that nothing here uses."""
    for module in modules:
        sys.modules.setdefault(module, MagicMock(**names))


def check_out(tag: str) -> str:
    """Put axolotl's source at a tag first on the path; return the release it says it is.

    The variable AXOLOTL_GIT may name a clone to take it from.
    """
    source = os.environ.get("AXOLOTL_GIT", REPOSITORY)
    command = ["git", "clone", "--quiet", "--depth=1", f"--branch={tag}", source, tag]
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    if subprocess.run(command, env=quiet, check=False).returncode:
        skip(f"cannot clone axolotl {tag}: set AXOLOTL_GIT to a clone of it")
    sys.path.insert(0, str(Path(tag, "src").resolve()))
    return re.findall(r'version="(.+?)"', Path(tag, "setup.py").read_text("utf-8"))[0]


def packed(*columns: str) -> dict[str, Any]:
    """Let axolotl's collator pack the documents into one row with a place left over."""
    from axolotl.utils.collators import V2BatchSamplerDataCollatorForSeq2Seq
    from failure import DOCUMENTS
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({"<pad>": 0}, unk_token="<pad>"))  # noqa: S106
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>")  # noqa: S106
    rows = [
        {"input_ids": tokens, "labels": tokens, "position_ids": list(range(len(tokens)))}
        | {column: [1] * len(tokens) for column in columns}
        for tokens in DOCUMENTS
    ]
    return dict(V2BatchSamplerDataCollatorForSeq2Seq(tokenizer, pad_to_multiple_of=8)([rows]))


def loaded(*, tag: str, trust_remote_code: bool) -> dict[str, Any]:
    """Let axolotl's ModelLoader patch transformers for Qwen2, and run a row that axolotl packed."""
    release = check_out(tag)
    kernel = guarded()
    leave_out("pynvml", "pynvml.nvml", "fastcore", "fastcore.parallel", NVMLError=Exception)
    from axolotl.utils.dict import DictDefault
    from axolotl.utils.models import ModelLoader
    from failure import model
    from transformers import Qwen2Config

    Qwen2Config().save_pretrained("model")
    config = DictDefault(
        base_model="model",
        model_config_type="qwen2",
        flash_attention=True,
        sample_packing=True,
        trust_remote_code=trust_remote_code,
    )
    ModelLoader(config, tokenizer=None).apply_patches()
    batch = packed("attention_mask")
    seen = run(kernel, model().eval(), batch)
    mask = batch["attention_mask"][0].tolist()
    return seen | {"mask": mask, "releases": [f"axolotl=={release}"]}


@detect(found=True, **CLONED)
def axolotl_0_5_0() -> dict[str, Any]:
    """The last bad release, with the flag that it takes for 'this model has remote code'."""
    return loaded(tag="v0.5.0", trust_remote_code=True)


@fix("upgrade-axolotl", control="axolotl-0-5-0", **CLONED)
def axolotl_0_5_1() -> dict[str, Any]:
    """The first good release, with the same flag."""
    return loaded(tag="v0.5.1", trust_remote_code=True)


@fix("flag-off", control="axolotl-0-5-0", **CLONED)
def flag_off() -> dict[str, Any]:
    """The last bad release with trust_remote_code: false."""
    return loaded(tag="v0.5.0", trust_remote_code=False)


def configured() -> dict[str, Any]:
    """Pack as axolotl 0.19 does with the configuration of the page.

    Its trainer takes the column of the mask out of the data where this setting says so.
    """
    leave_out(
        "trl",
        "trl.experimental",
        "trl.experimental.utils",
        "trl.trainer",
        "trl.trainer.utils",
        DPODataCollatorWithPadding=object,
    )
    from axolotl.utils.schemas.config import AxolotlInputConfig

    text = Path(__file__).with_name("configs").joinpath("axolotl.yaml").read_text("utf-8")
    config = AxolotlInputConfig(**yaml.safe_load(text))
    return packed() if config.attn_decontaminates_packing else packed("attention_mask")


@fix("position-ids", control="summed-mask-today")
def axolotl_0_19() -> dict[str, Any]:
    """The current release with the configuration of the page."""
    return meet(pack=configured)
