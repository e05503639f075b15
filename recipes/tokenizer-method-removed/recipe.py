"""Methods of tokenizers that transformers 5 no longer has."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_names import batch, guarded, looked, marks, of_length, one, targets, with_special

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
HUB_1 = ["huggingface_hub==1.17.0", *HTTP]
FIRST_5 = ["transformers==5.0.0", "tokenizers==0.22.1", *HUB_1]
OLDER_TOKENIZERS = ["transformers==5.0.0", "tokenizers==0.22.0", *HUB_1]
ONCE = "another transformers beside the main one, imported anew"


@reproduce()
def several_texts() -> dict[str, Any]:
    """batch_encode_plus on today's release."""
    return batch()


@reproduce()
def one_text() -> dict[str, Any]:
    """encode_plus."""
    return one()


@reproduce()
def special_tokens_around() -> dict[str, Any]:
    """build_inputs_with_special_tokens."""
    return with_special()


@reproduce()
def marks_by_the_old_name() -> dict[str, Any]:
    """additional_special_tokens."""
    return marks()


@reproduce()
def targets_in_a_context() -> dict[str, Any]:
    """as_target_tokenizer."""
    return targets()


@reproduce(versions=FIRST_5, record_once=ONCE)
def several_texts_on_5_0() -> dict[str, Any]:
    """The first release of 5."""
    return batch()


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script for transformers 4."""
    return looked()


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same, as the page writes it."""
    return looked(new=True)


@detect(found=False, versions=LAST_4, record_once=ONCE)
def old_script_on_4() -> dict[str, Any]:
    """The old script on the last release of 4."""
    return looked()


@fix("call", control="several-texts")
def several_texts_called() -> dict[str, Any]:
    """The page's line."""
    return batch(page=True)


@fix("call", control="one-text")
def one_text_called() -> dict[str, Any]:
    """The page's line for one text."""
    return one(page=True)


@fix("special", control="special-tokens-around")
def special_tokens_called() -> dict[str, Any]:
    """The page's line."""
    return with_special(page=True)


@fix("renamed", control="marks-by-the-old-name")
def marks_by_both_names() -> dict[str, Any]:
    """The page's lines."""
    return marks(page=True)


@fix("targets", control="targets-in-a-context")
def targets_named() -> dict[str, Any]:
    """The page's line."""
    return targets(page=True)


@fix("call", control="several-texts-on-5-0", versions=FIRST_5, record_once=ONCE)
def called_on_5_0() -> dict[str, Any]:
    """The same line on the first release of 5."""
    return batch(page=True)


@fix("older", control="several-texts-on-5-0", versions=LAST_4, record_once=ONCE)
def several_texts_on_4() -> dict[str, Any]:
    """The last release of 4."""
    return batch()


@non_fix(
    "older-tokenizers",
    control="several-texts-on-5-0",
    versions=OLDER_TOKENIZERS,
    record_once=ONCE,
)
def with_older_tokenizers() -> dict[str, Any]:
    """The oldest tokenizers that transformers 5.0.0 takes."""
    return batch()


@detect(found=True)
def padded_by_the_old_argument() -> dict[str, Any]:
    """pad_to_max_length, which old tutorials have, is passed over."""
    return of_length()


@detect(found=False, control="padded-by-the-old-argument")
def padded_by_the_new_one() -> dict[str, Any]:
    """The page's line."""
    return of_length(page=True)


@detect(found=True)
def guarded_by_a_default() -> dict[str, Any]:
    """A default hides that the name is gone."""
    return guarded()


@detect(found=False, control="guarded-by-a-default")
def asked_by_both_names() -> dict[str, Any]:
    """The page's line."""
    return guarded(page=True)


@detect(found=False, versions=LAST_4, record_once=ONCE)
def guarded_on_4() -> dict[str, Any]:
    """The default on the last release of 4."""
    return guarded()


@detect(found=False, versions=LAST_4, record_once=ONCE)
def asked_by_both_names_on_4() -> dict[str, Any]:
    """The page's line there."""
    return guarded(page=True)


if __name__ == "__main__":
    main(__file__)
