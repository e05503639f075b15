"""One tensor under two names: safetensors refuses it, and a reload may lose it."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0",
#     "accelerate==1.15.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import share, tie, tie_by_hand
from proof_reload import (
    ask_for_bin,
    keep,
    list_names,
    list_names_of_families,
    load_untied,
    reload,
    store,
    untie,
)
from proof_trainer import train

from fixbook.recipe import detect, fix, main, non_fix, reproduce
from fixbook.recipe.helpers import tiny_llama

OLD = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
SINCE_5 = ["transformers>=5"]  # ties are a dict, and there is no .bin any more
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(on="any")
def trainer_with_a_wrapper() -> dict[str, Any]:
    """The first checkpoint of a tied model in a module of one's own."""
    return train()


@reproduce(on="any")
def tie_in_save_file() -> dict[str, Any]:
    """Two names for one tensor in the state dict."""
    return store("save_file")


@reproduce(on="any")
def tie_after_contiguous() -> dict[str, Any]:
    """What is contiguous already stays as it is."""
    return store("contiguous")


@reproduce(on="any")
def layers_without_a_word() -> dict[str, Any]:
    """A tie that the class does not declare."""
    return keep(share())


@reproduce(on="any", versions=OLD, record_once=ONCE)
def layers_on_4_57() -> dict[str, Any]:
    """The words of transformers 4, with the advice in them."""
    return keep(share())


@detect(found=True)
def names_of_the_layers() -> dict[str, Any]:
    """The tie that the class does not declare."""
    return list_names(share())


@detect(found=False, control="names-of-the-layers")
def names_of_an_untied_model() -> dict[str, Any]:
    """Every name has a tensor of its own."""
    return list_names(tiny_llama())


@detect(found=False, versions=OLD, record_once=ONCE)
def names_of_a_tied_model_on_4() -> dict[str, Any]:
    """A tie that the class declares, as transformers 4 has it."""
    return list_names(tie())


@detect(found=False)
def names_of_families() -> dict[str, Any]:
    """Ties that the class declares, and parameters that lie in one buffer."""
    return list_names_of_families()


@fix("save-pretrained", control="tie-in-save-file", on="any")
def tie_in_save_pretrained() -> dict[str, Any]:
    """The head is left out, and tied again on loading."""
    return store("page")


@fix("save-model", control="tie-in-save-file", on="any")
def tie_in_save_model() -> dict[str, Any]:
    """One of the names is left out, and noted in the file."""
    return store("save_model")


@fix("trainer", control="trainer-with-a-wrapper", on="any")
def trainer_that_saves_copies() -> dict[str, Any]:
    """Each name gets a tensor of its own."""
    return train(save_copies=True)


@fix("bin-on-4", control="layers-on-4-57", on="any", versions=OLD, record_once=ONCE)
def layers_as_bin_on_4() -> dict[str, Any]:
    """The way out that the message of transformers 4 names."""
    return keep(share(), safe_serialization=False)


@fix("declare", control="layers-without-a-word", on="any", needs=SINCE_5)
def layers_that_the_class_declares() -> dict[str, Any]:
    """The class names the copy and its source."""
    return keep(share(declare=True))


@fix("copies", control="layers-without-a-word", on="any")
def layers_in_copies() -> dict[str, Any]:
    """Each name gets a tensor of its own."""
    return keep(share(), copy=True)


@non_fix("bin", control="layers-without-a-word", on="any", needs=SINCE_5)
def layers_as_bin() -> dict[str, Any]:
    """The way out of transformers 4."""
    return keep(share(), safe_serialization=False)


@detect(found=True, needs=SINCE_5)
def bin_of_5() -> dict[str, Any]:
    """The argument is taken and not looked at."""
    return ask_for_bin()


@detect(found=False, control="bin-of-5", versions=OLD, record_once=ONCE)
def bin_of_4_57() -> dict[str, Any]:
    """Here it decides the format."""
    return ask_for_bin()


@detect(found=True, on="any")
def head_by_hand() -> dict[str, Any]:
    """The head is left out of the file, and made anew on loading."""
    return reload(tie_by_hand(say=False))


@detect(found=False, control="head-by-hand", on="any")
def head_by_hand_and_configuration() -> dict[str, Any]:
    """The configuration ties it again."""
    return reload(tie_by_hand(say=True))


@detect(found=True)
def head_untied_on_loading() -> dict[str, Any]:
    """The file has no head, and the argument forbids to tie it."""
    return load_untied(tie_word_embeddings=False)


@detect(found=False, control="head-untied-on-loading")
def head_tied_on_loading() -> dict[str, Any]:
    """The configuration of the checkpoint ties it."""
    return load_untied()


@detect(found=False, on="any", needs=SINCE_5)
def head_untied_in_memory() -> dict[str, Any]:
    """Its own head is saved, whatever the configuration says."""
    return reload(untie())


if __name__ == "__main__":
    main(__file__)
