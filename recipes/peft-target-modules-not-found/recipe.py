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

from failure import config
from proof_targets import (
    LLAMA,
    OTHER,
    OWN,
    check,
    check_usual,
    load,
    names_of_layers,
    place,
    run,
    with_trl,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

# Before it the experts of a Mixtral were modules.
FIVE = ["transformers>=5"]

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
TRL = ["trl==1.16.0"]
ONCE = "libraries beside the main ones, imported anew"


@reproduce(on="any")
def names_of_another_model() -> dict[str, Any]:
    """Phi-3 keeps queries, keys and values in one layer."""
    return run(config(OTHER))


@reproduce(on="any")
def pattern_in_a_list() -> dict[str, Any]:
    """What is in a list is the end of a name, and no pattern."""
    return run(config([r".*\.1\..*qkv_proj"]))


@reproduce(on="any")
def name_as_a_text() -> dict[str, Any]:
    """A text is a pattern for the whole path."""
    return run(config("qkv_proj"))


@reproduce(on="any")
def names_joined_by_commas() -> dict[str, Any]:
    """So is this one."""
    return run(config("qkv_proj,o_proj"))


@reproduce(on="any")
def list_as_a_text() -> dict[str, Any]:
    """So is a list that a command line did not take apart."""
    return place("[qkv_proj,o_proj]")


@reproduce()
def adapter_onto_the_inner_model() -> dict[str, Any]:
    """An adapter trained on one class is loaded onto the model inside of it."""
    return load(inner=True)


@fix("same-class", control="adapter-onto-the-inner-model")
def adapter_onto_its_class() -> dict[str, Any]:
    """It is loaded onto its own class."""
    return load(inner=False)


@reproduce(on="any")
def whole_path() -> dict[str, Any]:
    """The pattern begins as the paths of a multimodal class do, and those of this one do not."""
    return place(r"model\.language_model\.layers\.\d+\..*qkv_proj")


@reproduce(on="any")
def empty_list() -> dict[str, Any]:
    """A script looked for one kind of layer, and the model has none of it."""
    return place([])


@reproduce(on="any", versions=TRL, record_once=ONCE)
def one_name_in_trl() -> dict[str, Any]:
    """A list of one name is handed on as a text."""
    return with_trl(["qkv_proj"])


@detect(found=True, on="any")
def lists_the_names() -> dict[str, Any]:
    """The model says what its linear layers are called."""
    return names_of_layers()


@detect(found=True, on="any")
def finds_names_without_a_layer() -> dict[str, Any]:
    """Five of the seven names of Llama are not in this model."""
    return check(config(LLAMA), LLAMA)


@detect(found=False, on="any")
def accepts_all_linear() -> dict[str, Any]:
    """The recommended text is no list of names."""
    return check(snippet("all-linear")["config"], "all-linear")


@detect(found=False, on="any")
def accepts_names_with_layers() -> dict[str, Any]:
    """All names are those of the model."""
    return check(config(OWN), OWN)


@detect(found=False, on="any")
def accepts_gpt2() -> dict[str, Any]:
    """A usual model, whose linear layers are no nn.Linear."""
    return check_usual("gpt2")


@detect(found=False, on="any")
def accepts_qwen2() -> dict[str, Any]:
    """A usual model with Llama's names."""
    return check_usual("qwen2")


@detect(found=False, on="any")
def accepts_gemma2() -> dict[str, Any]:
    """A usual model with Llama's names."""
    return check_usual("gemma2")


@detect(found=False, on="any")
def accepts_qwen3_moe() -> dict[str, Any]:
    """Seven names, three of which PEFT takes for the tensors of all experts."""
    return check_usual("qwen3-moe")


@reproduce(on="any", needs=FIVE)
def one_name_of_the_experts() -> dict[str, Any]:
    """One half of a tensor that holds two."""
    return place(["q_proj", "w1"], experts=True)


@fix("own-names", control="one-name-of-the-experts", on="any", needs=FIVE)
def names_of_the_experts() -> dict[str, Any]:
    """All three."""
    return place(["q_proj", "w1", "w2", "w3"], experts=True)


@fix("own-names", control="whole-path", on="any")
def path_of_this_class() -> dict[str, Any]:
    """The path as the class has it."""
    return place(r"model\.layers\.\d+\..*qkv_proj")


@fix("all-linear", control="names-of-another-model", on="any")
def all_linear() -> dict[str, Any]:
    """PEFT asks the model."""
    return run(snippet("all-linear")["config"])


@fix("own-names", control="names-of-another-model", on="any")
def own_names() -> dict[str, Any]:
    """The names that the model has."""
    return run(snippet("own-names")["config"])


@fix("write-it-right", control="name-as-a-text", on="any")
def name_in_a_list() -> dict[str, Any]:
    """The same name in a list."""
    return run(config(["qkv_proj"]))


@fix("write-it-right", control="names-joined-by-commas", on="any")
def names_in_a_list() -> dict[str, Any]:
    """The same names in a list."""
    return run(config(OWN))


@fix("write-it-right", control="pattern-in-a-list", on="any")
def pattern_as_a_text() -> dict[str, Any]:
    """The same pattern without the list."""
    return run(config(r".*\.1\..*qkv_proj"))


@fix("write-it-right", control="one-name-in-trl", on="any", versions=TRL, record_once=ONCE)
def one_pattern_in_trl() -> dict[str, Any]:
    """The text is a pattern that fits."""
    return with_trl([".*qkv_proj"])


@non_fix("llama-names", control="names-of-another-model", on="any")
def llama_names() -> dict[str, Any]:
    """Two of the seven are there, and that is enough for PEFT."""
    return run(config(LLAMA))


@non_fix("leave-it-out", control="names-of-another-model", on="any")
def left_out() -> dict[str, Any]:
    """PEFT has a table of models, and this one is not in it."""
    return run(config(None))


@reproduce(on="any", versions=["peft==0.8.2", *OLD], record_once=ONCE)
def empty_list_on_0_8() -> dict[str, Any]:
    """An empty list in the words of an older PEFT."""
    return place([])


@reproduce(on="any", versions=["peft==0.7.1", *OLD], record_once=ONCE)
def all_linear_on_0_7() -> dict[str, Any]:
    """The word is taken for a pattern."""
    return place("all-linear")


@fix(
    "all-linear",
    control="all-linear-on-0-7",
    on="any",
    versions=["peft==0.8.0", *OLD],
    record_once=ONCE,
)
def all_linear_on_0_8() -> dict[str, Any]:
    """The word is known."""
    return place("all-linear")


@reproduce(on="any", versions=["peft==0.19.1"], record_once=ONCE)
def experts_on_0_19() -> dict[str, Any]:
    """The word is taken apart into its letters."""
    return place("all-linear", experts=True)


@fix(
    "all-linear",
    control="experts-on-0-19",
    on="any",
    versions=["peft==0.20.0"],
    record_once=ONCE,
)
def experts_on_0_20() -> dict[str, Any]:
    """The next release."""
    return place("all-linear", experts=True)


if __name__ == "__main__":
    main(__file__)
