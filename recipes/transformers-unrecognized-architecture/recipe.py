"""A model_type that the installed transformers does not know, or that config.json lacks."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from importlib import import_module
from typing import Any

from proof_adapter import with_its_base
from proof_load import ask_of_usual_types, asked, early, look, qwen3, relabelled, toy

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE = ["tokenizers==0.21.4", "huggingface_hub==0.36.2"]
LAST_BAD = ["transformers==4.50.3", *BESIDE]
FIRST_GOOD = ["transformers==4.51.0", *BESIDE]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(versions=LAST_BAD, record_once=ONCE)
def qwen3_on_4_50() -> dict[str, Any]:
    """The last release without Qwen3."""
    return qwen3()


@reproduce()
def type_of_a_package() -> dict[str, Any]:
    """Today's release does not know the authors' own type."""
    return toy()


@reproduce()
def adapter_folder() -> dict[str, Any]:
    """The folder of a LoRA run has no config.json."""
    return look("run-7")


@reproduce()
def no_type_in_config() -> dict[str, Any]:
    """The right folder, of a model from before there were types."""
    return early()


@detect(found=True, versions=LAST_BAD, record_once=ONCE)
def asked_on_4_50() -> dict[str, Any]:
    """This release does not know the type."""
    return asked("qwen3")


@detect(found=False, control="asked-on-4-50")
def asked_today() -> dict[str, Any]:
    """Today's release knows Qwen3."""
    return asked("qwen3")


@detect(found=True)
def asked_of_a_package_type() -> dict[str, Any]:
    """No release knows it."""
    return asked("toy_qwen")


@detect(found=False)
def asked_of_usual_types() -> dict[str, Any]:
    """Types that today's release has."""
    return ask_of_usual_types()


@fix("newer-transformers", control="qwen3-on-4-50", versions=FIRST_GOOD, record_once=ONCE)
def qwen3_on_4_51() -> dict[str, Any]:
    """The first one with it."""
    return qwen3()


@fix("newer-transformers", control="qwen3-on-4-50")
def qwen3_today() -> dict[str, Any]:
    """Today's release has Qwen3."""
    return qwen3()


@fix("authors-code", control="type-of-a-package")
def code_beside_weights() -> dict[str, Any]:
    """The file is in the folder, config.json names it, and it may run."""
    return toy(printed=True)


@fix("authors-code", control="type-of-a-package")
def package_imported() -> dict[str, Any]:
    """Importing the package registers its type."""
    import_module("toy_package")
    return toy()


@fix("the-right-folder", control="adapter-folder")
def adapter_on_its_base() -> dict[str, Any]:
    """The base's folder is read instead of the adapter's, and the adapter is put on it."""
    return {**look("base-of-run-7", base=True), **with_its_base()}


@fix("type-by-hand", control="no-type-in-config")
def type_written() -> dict[str, Any]:
    """The type is written into config.json."""
    return early(write=True)


@fix("type-by-hand", control="no-type-in-config")
def class_named() -> dict[str, Any]:
    """The class needs no type."""
    return early(by_class=True)


@non_fix("trust-remote-code", control="type-of-a-package")
def trusted() -> dict[str, Any]:
    """The flag runs code where there is some, and here there is none."""
    return toy(trust_remote_code=True)


@detect(found=True)
def qwen3_as_qwen2() -> dict[str, Any]:
    """It loads under the type of its predecessor."""
    return relabelled("qwen2")


@detect(found=False, control="qwen3-as-qwen2")
def qwen3_as_itself() -> dict[str, Any]:
    """All keys fit."""
    return relabelled("qwen3")


if __name__ == "__main__":
    main(__file__)
