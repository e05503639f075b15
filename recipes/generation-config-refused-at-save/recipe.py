"""Saving a model fails on its generation config, after the training."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import BEAMS, ZERO
from proof_save import as_loaded, asked, asked_sound_ones, left_out, trained

from fixbook.recipe import detect, fix, main, non_fix, reproduce

WITH = ["huggingface_hub==0.36.2", "numpy==1.26.4", "tokenizers==0.15.2"]
ON_4_36 = ["transformers==4.36.2", *WITH]
ON_4_37 = ["transformers==4.37.0", *WITH]
ON_5_22 = ["transformers==5.22.0"]
AS_LOADED = ["transformers>=5.23"]  # saves what has not changed since loading
ONCE = "another transformers, imported anew"


@reproduce(on="any")
def after_training() -> dict[str, Any]:
    """The base model's values are refused after a step of training."""
    return trained()


@reproduce(on="any", needs=AS_LOADED)
def pad_written() -> dict[str, Any]:
    """Where it would save what has not changed, that token is the change."""
    return trained()


@reproduce(on="any")
def values_for_beams() -> dict[str, Any]:
    """The same with values for beam search, and one beam."""
    return trained(BEAMS)


@reproduce(on="any")
def zero_refused() -> dict[str, Any]:
    """A greedy model whose temperature says so."""
    return trained(ZERO, use=True)


@fix("unset", control="zero-refused", on="any")
def zero_taken_out() -> dict[str, Any]:
    """Greedy as before."""
    return trained(ZERO, mend="unset", use=True)


@non_fix("sample-zero", control="zero-refused", on="any")
def zero_sampled() -> dict[str, Any]:
    """It is saved, and generate refuses it."""
    return trained(ZERO, mend="sample", use=True)


@reproduce(versions=ON_5_22, record_once=ONCE)
def as_loaded_on_5_22() -> dict[str, Any]:
    """Nothing changed since loading."""
    return as_loaded()


@reproduce(versions=ON_4_37, record_once=ONCE)
def as_loaded_on_4_37() -> dict[str, Any]:
    """The same on the first release that refuses, in its words."""
    return as_loaded()


@detect(found=True)
def asked_before() -> dict[str, Any]:
    """The page's question, before training."""
    return asked()


@detect(found=False, control="asked-before")
def asked_when_mended() -> dict[str, Any]:
    """After the first fix."""
    return asked(mend="sample")


@detect(found=False)
def asked_sound_models() -> dict[str, Any]:
    """Models that can be saved."""
    return asked_sound_ones()


@fix("sample", control="after-training", on="any")
def sampling() -> dict[str, Any]:
    """The page's line, before training."""
    return trained(mend="sample")


@fix("file", control="after-training", on="any")
def file_mended() -> dict[str, Any]:
    """The file of the base model."""
    return trained(mend_file=True)


@fix("unset", control="values-for-beams", on="any")
def unset() -> dict[str, Any]:
    """The values are taken out."""
    return trained(BEAMS, mend="unset")


@fix("unset", control="after-training", on="any")
def unset_sampling() -> dict[str, Any]:
    """The same for sampling."""
    return trained(mend="unset")


@fix("unset", control="as-loaded-on-4-37", versions=ON_4_37, record_once=ONCE)
def unset_on_4_37() -> dict[str, Any]:
    """The values are those of that release's own configuration."""
    return as_loaded(mend="unset")


@fix("upgrade", control="as-loaded-on-5-22", needs=AS_LOADED)
def as_loaded_on_5_23() -> dict[str, Any]:
    """Saved as it was loaded."""
    return as_loaded()


@non_fix("generate", control="after-training", on="any")
def sampled_in_generate() -> dict[str, Any]:
    """do_sample=True goes to generate alone."""
    return trained(sample_in_generate=True)


@detect(found=True, versions=ON_4_36, record_once=ONCE)
def left_out_on_4_36() -> dict[str, Any]:
    """A warning, and no file."""
    return left_out()


@detect(found=False, control="left-out-on-4-36", needs=AS_LOADED)
def written_on_5_23() -> dict[str, Any]:
    """The file is there."""
    return left_out()


if __name__ == "__main__":
    main(__file__)
