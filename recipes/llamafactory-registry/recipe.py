"""LLaMA-Factory knows a data set and a template by name alone, from two lists of its own."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "pyyaml==6.0.3"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import INFO, write
from proof_read import asked, comma, compared, elsewhere, left_out, named, templated

from fixbook.recipe import detect, fix, main, reproduce

FACTORY: dict[str, Any] = {
    "versions": [
        "llamafactory==0.9.5", "transformers==5.6.0", "tokenizers==0.22.2",
        "huggingface_hub==1.17.0", "httpx==0.28.1", "httpcore==1.0.9", "datasets==4.0.0",
        "peft==0.20.0", "trl==0.24.0", "omegaconf==2.3.0", "antlr4-python3-runtime==4.9.3",
    ],
    "env": {"DISABLE_VERSION_CHECK": "1"},
    "import_first": "proof_factory",
    "record_once": "LLaMA-Factory and the releases it asks for, imported anew",
}  # fmt: skip
BELOW_DATA = {"mine": {"file_name": "data/mine.json"}}


@reproduce(**FACTORY)
def path_as_name() -> dict[str, Any]:
    """The path of the file stands under dataset."""
    return named("data/mine.json")


@reproduce(**FACTORY)
def other_folder() -> dict[str, Any]:
    """The command is started somewhere else."""
    return elsewhere()


@reproduce(**FACTORY)
def unknown_template() -> dict[str, Any]:
    """The template is called after the model."""
    return templated("qwen2")


@reproduce(**FACTORY)
def comma_too_many() -> dict[str, Any]:
    """A comma stands before the last brace."""
    return comma()


@reproduce(**FACTORY)
def file_below_data() -> dict[str, Any]:
    """The file is looked for below dataset_dir."""
    return named("mine", BELOW_DATA)


@detect(found=True, **FACTORY)
def asked_for_a_path() -> dict[str, Any]:
    """The check does not know a path."""
    write()
    return asked("data/mine.json")


@detect(found=True, **FACTORY)
def asked_for_qwen2() -> dict[str, Any]:
    """Nor a template that is called after the model."""
    write()
    return asked("mine", template="qwen2")


@detect(found=False, control="asked-for-a-path", **FACTORY)
def asked_for_a_name() -> dict[str, Any]:
    """The name that is registered."""
    write()
    return asked("mine")


@fix("register", control="path-as-name", **FACTORY)
def registered() -> dict[str, Any]:
    """What the page prints registers it."""
    return named("mine")


@fix("folder", control="other-folder", **FACTORY)
def folder_named() -> dict[str, Any]:
    """The page's line says where it is."""
    return elsewhere(mended=True)


@fix("template", control="unknown-template", **FACTORY)
def from_the_table() -> dict[str, Any]:
    """The name that the package itself gives for the model."""
    return templated()


@fix("json", control="comma-too-many", **FACTORY)
def comma_found() -> dict[str, Any]:
    """The page's line says where the comma is."""
    return comma(mended=True)


@fix("file-name", control="file-below-data", **FACTORY)
def file_in_data() -> dict[str, Any]:
    """The name without the folder."""
    return named("mine", INFO)


@detect(found=True, **FACTORY)
def default_template() -> dict[str, Any]:
    """The template that fits no model."""
    return compared("default")


@detect(found=False, control="default-template", **FACTORY)
def right_template() -> dict[str, Any]:
    """The one of the model."""
    return compared("qwen")


@detect(found=True, **FACTORY)
def no_template() -> dict[str, Any]:
    """None, for a tokenizer that has none."""
    return left_out()


if __name__ == "__main__":
    main(__file__)
