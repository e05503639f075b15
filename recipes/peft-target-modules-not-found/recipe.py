"""LoRA's target_modules name no layer of the model, or are written so that none fits."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_targets import LLAMA, OTHER, OWN, check, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def names_of_another_model() -> dict[str, Any]:
    """Phi-3 keeps queries, keys and values in one layer."""
    return run(OTHER)


@reproduce()
def pattern_in_a_list() -> dict[str, Any]:
    """What is in a list is the end of a name, and no pattern."""
    return run([r".*\.1\..*qkv_proj"])


@reproduce()
def name_as_a_text() -> dict[str, Any]:
    """A text is a pattern for the whole path."""
    return run("qkv_proj")


@reproduce()
def names_joined_by_commas() -> dict[str, Any]:
    """So is this one."""
    return run("qkv_proj,o_proj")


@fix("all-linear", control="names-of-another-model")
def all_linear() -> dict[str, Any]:
    """PEFT asks the model."""
    return run("all-linear")


@fix("own-names", control="names-of-another-model")
def own_names() -> dict[str, Any]:
    """The names that the model has."""
    return run(OWN)


@fix("write-it-right", control="pattern-in-a-list")
def pattern_as_a_text() -> dict[str, Any]:
    """The same pattern without the list."""
    return run(r".*\.1\..*qkv_proj")


@fix("write-it-right", control="name-as-a-text")
def name_in_a_list() -> dict[str, Any]:
    """The same name in a list."""
    return run(["qkv_proj"])


@fix("write-it-right", control="names-joined-by-commas")
def names_in_a_list() -> dict[str, Any]:
    """The same names in a list."""
    return run(OWN)


@non_fix("llama-names", control="names-of-another-model")
def llama_names() -> dict[str, Any]:
    """Two of the seven are there, and that is enough for PEFT."""
    return run(LLAMA)


@non_fix("leave-it-out", control="names-of-another-model")
def left_out() -> dict[str, Any]:
    """PEFT has a table of models, and this one is not in it."""
    return run(None)


@detect(found=False, control="finds-names-without-a-layer")
def accepts_all_linear() -> dict[str, Any]:
    """The recommended text is no list of names."""
    return check("all-linear")


if __name__ == "__main__":
    main(__file__)
