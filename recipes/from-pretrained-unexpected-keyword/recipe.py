"""from_pretrained hands an argument that it does not know on to the model's class."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_load import asked, beside_config, left_out, loaded, passed_over

from fixbook.recipe import detect, fix, main, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
FIRST = ["transformers==4.56.0", "huggingface_hub==0.36.2", "tokenizers==0.22.1"]
BEFORE = ["transformers==4.55.4", "huggingface_hub==0.36.2", "tokenizers==0.21.4"]
ONCE = "another transformers beside the main one, imported anew"
FIVE = ["transformers>=5"]
REMOVED = ["transformers>=4.54"]


@reproduce(versions=BEFORE, record_once=ONCE)
def dtype_on_4_55() -> dict[str, Any]:
    """The name of today, on a release that has torch_dtype alone."""
    return loaded("dtype")


@reproduce(needs=FIVE)
def bits_by_flag() -> dict[str, Any]:
    """A flag of transformers 4."""
    return loaded("bits")


@reproduce(versions=FIRST_5, record_once=ONCE)
def bits_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return loaded("bits")


@reproduce(needs=REMOVED)
def flash_by_flag() -> dict[str, Any]:
    """A flag of 2023."""
    return loaded("attention")


@reproduce()
def length_of_a_trainer() -> dict[str, Any]:
    """An argument of Unsloth and of older trainers."""
    return loaded("length")


@reproduce()
def value_beside_config() -> dict[str, Any]:
    """A value of the configuration, where one is passed, too."""
    return beside_config()


@detect(found=True, needs=FIVE)
def asked_for_the_flag() -> dict[str, Any]:
    """A name that this release does not take."""
    return asked("flag")


@detect(found=False, control="asked-for-the-flag", needs=FIVE)
def asked_for_usual_names() -> dict[str, Any]:
    """Fourteen names that it takes, and two of the configuration."""
    return asked("usual")


@detect(found=False, control="asked-for-the-flag", versions=LAST_4, record_once=ONCE)
def asked_on_4_57() -> dict[str, Any]:
    """The last release of 4 takes it."""
    return asked("flag")


@fix("dtype", control="dtype-on-4-55", versions=BEFORE, record_once=ONCE)
def dtype_by_its_former_name() -> dict[str, Any]:
    """The name that every release takes."""
    return loaded("dtype", mend=True)


@fix("dtype", control="dtype-on-4-55", versions=FIRST, record_once=ONCE)
def dtype_on_4_56() -> dict[str, Any]:
    """The first release with the new name."""
    return loaded("dtype")


@fix("bits", control="bits-by-flag", needs=["transformers>=5", "bitsandbytes"])
def bits_by_config() -> dict[str, Any]:
    """A configuration of the quantization."""
    return loaded("bits", mend=True)


@fix("attention", control="flash-by-flag", needs=REMOVED)
def attention_by_name() -> dict[str, Any]:
    """The kind of attention by its name."""
    return loaded("attention", mend=True)


@fix("config", control="value-beside-config")
def value_in_config() -> dict[str, Any]:
    """Written into the configuration."""
    return beside_config(mend=True)


@fix("elsewhere", control="length-of-a-trainer")
def length_for_the_tokenizer() -> dict[str, Any]:
    """Without it; the texts are cut instead."""
    return loaded("length", mend=True)


@detect(found=True, versions=BEFORE, record_once=ONCE)
def dtype_left_out() -> dict[str, Any]:
    """A checkpoint in bf16, loaded without saying so."""
    return left_out()


@detect(found=True, versions=BEFORE, record_once=ONCE)
def passed_over_on_4_55() -> dict[str, Any]:
    """A checkpoint saved by a newer release has a field of that name."""
    return passed_over()


@detect(found=False, control="passed-over-on-4-55", versions=FIRST, record_once=ONCE)
def followed_on_4_56() -> dict[str, Any]:
    """There it is an argument."""
    return passed_over()


if __name__ == "__main__":
    main(__file__)
