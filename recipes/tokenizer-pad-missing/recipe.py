"""A tokenizer without a pad token: what raises, and which pad token lets the model stop."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import tokenize
from proof_pad import (
    added,
    as_it_is,
    check_collators,
    classify,
    end_texts,
    end_turns,
    eos,
    eos_in_the_configuration,
    learn,
    new_row,
    own_in_the_configuration,
    own_token,
    pad_texts,
    set_and_count,
    turns,
    turns_as_eos,
)
from proof_served import classify_nested, generate
from proof_trl import load

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1"]
OLD = [*LAST_4, "datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9"]
TRL_0_16_0 = ["trl==0.16.0", *OLD]
TRL_0_16_1 = ["trl==0.16.1", *OLD]
ONCE = "another TRL with its libraries, imported anew"
ONCE_4 = "another transformers, imported anew"


@reproduce()
def tokenizer_without_a_pad_token() -> dict[str, Any]:
    """The tokenizer is asked to pad."""
    return pad_texts(as_it_is)


@reproduce(on="any")
def collator_without_a_pad_token() -> dict[str, Any]:
    """The collator asks it."""
    return learn(as_it_is)


@reproduce(on="any")
def classifier_without_a_pad_token() -> dict[str, Any]:
    """The tokenizer has one, the model's configuration has none."""
    return classify(as_it_is)


@reproduce()
def pipeline_without_a_pad_token() -> dict[str, Any]:
    """A pipeline is asked for batches."""
    return generate(page=False)


@reproduce(needs=["transformers>=5"])
def nested_classifier_outer() -> dict[str, Any]:
    """The configuration of the whole model is not what the classifier reads."""
    return classify_nested(page=False)


@detect(found=True, on="any")
def labels_without_eos() -> dict[str, Any]:
    """Pad is EOS: the collator masks the end of each text."""
    return learn(eos)


@detect(found=True, on="any")
def texts_without_eos() -> dict[str, Any]:
    """No text ends with EOS."""
    return learn(own_token, texts=lambda tokenizer: tokenize(tokenizer, end=False))


@detect(found=True, on="any")
def turns_without_eos() -> dict[str, Any]:
    """A chat template ends an answer with a token that is not EOS."""
    return learn(turns, spare=1, texts=end_turns)


@detect(found=False, control="labels-without-eos", on="any")
def labels_with_eos() -> dict[str, Any]:
    """Another pad token."""
    return learn(own_token)


@detect(found=False)
def usual_collators() -> dict[str, Any]:
    """Sound data through the collators of transformers."""
    return check_collators()


@fix("own-token", control="tokenizer-without-a-pad-token")
def tokenizer_with_its_own() -> dict[str, Any]:
    """A token that no text has."""
    return pad_texts(own_token)


@fix("own-token", control="collator-without-a-pad-token", on="any")
def collator_with_its_own() -> dict[str, Any]:
    """EOS stays in the labels."""
    return learn(own_token)


@fix("classifier", control="classifier-without-a-pad-token", on="any")
def classifier_with_its_own() -> dict[str, Any]:
    """The configuration is told as well, and saved."""
    return classify(own_in_the_configuration)


@fix("classifier", control="nested-classifier-outer", needs=["transformers>=5"])
def nested_classifier() -> dict[str, Any]:
    """The configuration of its text part is."""
    return classify_nested(page=True)


@fix("inference", control="pipeline-without-a-pad-token")
def fed_alone() -> dict[str, Any]:
    """The batch is answered as each prompt is by itself."""
    return generate(page=True)


@fix("append-eos", control="texts-without-eos", on="any")
def texts_with_eos() -> dict[str, Any]:
    """EOS at the end of each text."""
    return learn(own_token, texts=end_texts)


@fix("end-of-turn", control="turns-without-eos", on="any")
def turns_with_eos() -> dict[str, Any]:
    """That token is the EOS."""
    return learn(turns_as_eos, spare=1, texts=end_turns)


@fix("labels-by-place", control="labels-without-eos", on="any")
def labels_by_place() -> dict[str, Any]:
    """The pad token is still EOS, and labels are padded by place."""
    return learn(eos, labelled=True)


@fix("new-row", control="collator-without-a-pad-token", on="any")
def model_with_a_new_row() -> dict[str, Any]:
    """A new token, and a row for it."""
    return learn(new_row)


@fix("new-row", control="collator-without-a-pad-token", on="any")
def model_with_rows_to_spare() -> dict[str, Any]:
    """Rows that the model already has are not taken away."""
    return learn(new_row, spare=8)


@non_fix("eos", control="collator-without-a-pad-token", on="any")
def collator_with_eos() -> dict[str, Any]:
    """Every EOS is masked, and the model goes on."""
    return learn(eos)


@non_fix("add-pad", control="collator-without-a-pad-token", on="any")
def model_without_the_row() -> dict[str, Any]:
    """The model has no row for it."""
    return learn(added)


@non_fix("other-id", control="classifier-without-a-pad-token", on="any")
def classifier_with_eos() -> dict[str, Any]:
    """The configuration names another token than the tokenizer pads with."""
    return classify(eos_in_the_configuration)


@detect(found=False, needs=["transformers>=5"])
def add_eos_token_5() -> dict[str, Any]:
    """The tokenizer ends each text itself."""
    return set_and_count("add_eos_token")


@detect(found=True, versions=LAST_4, record_once=ONCE_4)
def add_eos_token_4() -> dict[str, Any]:
    """The setting is taken and ignored."""
    return set_and_count("add_eos_token")


@detect(found=True, on="any", versions=["trl==0.15.2", *OLD], record_once=ONCE)
def trl_0_15() -> dict[str, Any]:
    """It takes EOS without a word, and masks it."""
    return load()


@detect(found=True, on="any", versions=TRL_0_16_0, record_once=ONCE)
def trl_0_16_0() -> dict[str, Any]:
    """It does so, too."""
    return load()


@detect(found=False, control="trl-0-16-0", on="any", versions=TRL_0_16_1, record_once=ONCE)
def trl_0_16_1() -> dict[str, Any]:
    """It pads labels by place."""
    return load()


@detect(found=False, control="trl-0-16-0", on="any", versions=["trl==1.16.0"], record_once=ONCE)
def trl_1_16() -> dict[str, Any]:
    """It still does."""
    return load()


if __name__ == "__main__":
    main(__file__)
