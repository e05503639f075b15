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
from proof_look import guarded, run

from fixbook.recipe import skip

REPOSITORY = "https://github.com/axolotl-ai-cloud/axolotl"


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
