"""LLaMA-Factory drops every row of a data set, one by one, and has none left to train on."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import ANSWERED, ASKED, HALF, chats
from proof_samples import ONE_GOOD, answered, check, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

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


@reproduce(**FACTORY)
def roles_without_tags() -> dict[str, Any]:
    """The roles are user and assistant; nothing says so, and human and gpt are expected."""
    return run(tags=HALF)


@reproduce(**FACTORY)
def roles_with_max_samples() -> dict[str, Any]:
    """The same with a limit of two rows out of four."""
    return run(tags=HALF, max_samples=2)


@reproduce(**FACTORY)
def ends_with_the_user() -> dict[str, Any]:
    """Each conversation ends before its answer."""
    return run(chats(ASKED, ANSWERED, ASKED))


@reproduce(**FACTORY)
def answer_without_a_column() -> dict[str, Any]:
    """Alpaca form; the column of the question is named, that of the answer is not."""
    return answered()


@reproduce(**FACTORY)
def limit_below_zero() -> dict[str, Any]:
    """Sound rows, and max_samples of -1 for all of them."""
    return run(max_samples=-1)


@fix("tags", control="roles-without-tags", **FACTORY)
def roles_with_tags() -> dict[str, Any]:
    """The tags say what the roles are called."""
    return run()


@fix("turns", control="ends-with-the-user", **FACTORY)
def ends_with_an_answer() -> dict[str, Any]:
    """Each conversation ends in an answer."""
    return run(chats(ASKED, ANSWERED, ASKED, ANSWERED))


@fix("columns", control="answer-without-a-column", **FACTORY)
def answer_with_its_column() -> dict[str, Any]:
    """The column of the answer is named as well."""
    return answered(response="answer")


@fix("no-limit", control="limit-below-zero", **FACTORY)
def without_a_limit() -> dict[str, Any]:
    """No max_samples at all."""
    return run()


@non_fix("max-samples", control="roles-with-max-samples", **FACTORY)
def without_max_samples() -> dict[str, Any]:
    """All four rows are read, and all of them dropped."""
    return run(tags=HALF)


@detect(found=True, **FACTORY)
def finds_rows_to_drop() -> dict[str, Any]:
    """One row in four can be used, and LLaMA-Factory goes on with it."""
    return check(ONE_GOOD)


@detect(found=False, control="finds-rows-to-drop", **FACTORY)
def accepts_sound_rows() -> dict[str, Any]:
    """All four can."""
    return check(chats(ASKED, ANSWERED))


if __name__ == "__main__":
    main(__file__)
