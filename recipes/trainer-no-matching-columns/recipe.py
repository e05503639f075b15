"""The Trainer drops every column that the model's forward does not name, and none is left."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
#     "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_columns import ask, ask_families, train, train_own, train_wrapped, weigh
from proof_pairs import train_pairs
from proof_sft import train_sft

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "TRL, imported anew"


@reproduce(on="any")
def texts() -> dict[str, Any]:
    """The only column is the text."""
    return train("raw")


@reproduce(on="any")
def preferences() -> dict[str, Any]:
    """Chosen and rejected texts, for a trainer of preferences."""
    return train_pairs()


@reproduce(on="any")
def list_of_texts() -> dict[str, Any]:
    """With a list instead of a Dataset the collator drops the keys."""
    return train("list")


@reproduce(on="any")
def names_of_ones_own() -> dict[str, Any]:
    """The ids are there, under another name."""
    return train("renamed")


@reproduce(on="any")
def collator_of_ones_own() -> dict[str, Any]:
    """A collator that tokenizes never sees the texts."""
    return train("raw", change="collate")


@reproduce(on="any")
def wrapped_model() -> dict[str, Any]:
    """The columns are right, and the wrapper's forward names none of them."""
    return train_wrapped()


@reproduce(on="any")
def loss_of_ones_own() -> dict[str, Any]:
    """A model of one's own, whose forward takes any name."""
    return train_own()


@detect(found=True)
def names_of_the_wrapper() -> dict[str, Any]:
    """No column is used."""
    return ask(wrap=True)


@detect(found=False, control="names-of-the-wrapper")
def names_of_the_model() -> dict[str, Any]:
    """Two are."""
    return ask(wrap=False)


@detect(found=False)
def names_of_other_families() -> dict[str, Any]:
    """LoRA, GPT-2, T5 and a BERT that classifies."""
    return ask_families()


@fix("tokenize", control="texts", on="any")
def texts_with_ids() -> dict[str, Any]:
    """The snippet makes ids of the texts."""
    return train("raw", change="tokenize")


@fix("sft", control="texts", on="any", versions=["trl==1.16.0"], record_once=ONCE)
def texts_for_sft() -> dict[str, Any]:
    """SFTTrainer tokenizes by itself."""
    return train_sft()


@fix("rename", control="names-of-ones-own", on="any")
def names_of_forward() -> dict[str, Any]:
    """The names of forward."""
    return train("renamed", change="rename")


@fix("own-collator", control="collator-of-ones-own", on="any")
def texts_for_the_collator() -> dict[str, Any]:
    """It gets the texts, and makes ids of them."""
    return train("raw", change="collate", remove_unused_columns=False)


@fix("unwrap", control="wrapped-model", on="any")
def model_itself() -> dict[str, Any]:
    """The Trainer gets the model, and wraps it where it must."""
    return train_wrapped(unwrap=True)


@fix("own-forward", control="loss-of-ones-own", on="any")
def forward_with_names() -> dict[str, Any]:
    """Forward names what it takes."""
    return train_own(named=True)


@fix("own-forward", control="loss-of-ones-own", on="any")
def forward_with_all_columns() -> dict[str, Any]:
    """It gets every column."""
    return train_own(remove_unused_columns=False)


@non_fix("keep-columns", control="texts", on="any")
def texts_kept() -> dict[str, Any]:
    """A text is no input of a model."""
    return train("raw", remove_unused_columns=False)


@non_fix("keep-columns", control="names-of-ones-own", on="any")
def other_names_kept() -> dict[str, Any]:
    """Forward takes any name, and uses the ones it knows."""
    return train("renamed", remove_unused_columns=False)


@non_fix("keep-columns", control="wrapped-model")
def wrapper_kept() -> dict[str, Any]:
    """It trains on a CPU, by another loss."""
    return train_wrapped(remove_unused_columns=False)


@non_fix("keep-columns", control="wrapped-model", on="cuda")
def wrapper_kept_on_a_gpu() -> dict[str, Any]:
    """There it takes a batch apart, and the Trainer's count of tokens has no dimension."""
    return train_wrapped(remove_unused_columns=False)


@detect(found=True, on="any")
def weights_without_the_setting() -> dict[str, Any]:
    """A column of one's own is gone, without a word."""
    return weigh()


@detect(found=False, control="weights-without-the-setting", on="any")
def weights_with_the_setting() -> dict[str, Any]:
    """Here the setting is the right one."""
    return weigh(remove_unused_columns=False)


if __name__ == "__main__":
    main(__file__)
