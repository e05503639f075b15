"""LLaMA-Factory drops every row of a data set, one by one, and has none left to train on."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "pyyaml==6.0.3"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import ANSWERED, ASKED, NO_ROLES, PAIRS, PROMPT, QUESTIONS, RANKED, UNRANKED, chats
from proof_samples import (
    MOSTLY_REVERSED,
    left_of_stream,
    logged,
    printed,
    run,
)

from fixbook.recipe import detect, fix, main, reproduce

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
def answer_without_a_column() -> dict[str, Any]:
    """The column of the question is named, that of the answer has its usual name, output."""
    return run(QUESTIONS, PROMPT)


@reproduce(**FACTORY)
def pairs_for_sft() -> dict[str, Any]:
    """Preference data in stage sft."""
    return run(PAIRS, UNRANKED)


@reproduce(**FACTORY)
def roles_without_tags() -> dict[str, Any]:
    """The roles are user and assistant; the tags do not say so."""
    return run(chats(ASKED, ANSWERED), NO_ROLES)


@reproduce(**FACTORY)
def ends_with_the_user() -> dict[str, Any]:
    """Each conversation ends before its answer."""
    return run(chats(ASKED, ANSWERED, ASKED), printed("tags"))


@reproduce(**FACTORY)
def limit_below_zero() -> dict[str, Any]:
    """Sound rows, and max_samples of -1 for all of them."""
    return run(chats(ASKED, ANSWERED), printed("tags"), max_samples=-1)


@reproduce(**FACTORY)
def stream_without_a_worker() -> dict[str, Any]:
    """Sound rows as a stream; dataloader_num_workers is 0, as by default."""
    return left_of_stream(workers=0)


@detect(found=True, **FACTORY)
def counts_what_was_dropped() -> dict[str, Any]:
    """One row in four can be used, and LLaMA-Factory goes on with it."""
    return logged(MOSTLY_REVERSED, printed("tags"))


@detect(found=False, control="counts-what-was-dropped", **FACTORY)
def counts_nothing_for_sound_chats() -> dict[str, Any]:
    """All four can."""
    return logged(chats(ASKED, ANSWERED), printed("tags"))


@detect(found=False, **FACTORY)
def counts_nothing_for_sound_answers() -> dict[str, Any]:
    """All columns are named."""
    return logged(QUESTIONS, printed("columns"))


@reproduce(**FACTORY)
def too_little_text() -> dict[str, Any]:
    """Less text than one block of stage pt."""
    return run(QUESTIONS, PROMPT, stage="pt", packing=True)


@fix("no-blocks", control="too-little-text", **FACTORY)
def text_by_itself() -> dict[str, Any]:
    """Each text is a sample."""
    return run(QUESTIONS, PROMPT, stage="pt", packing=printed("packing")["packing"])


@fix("columns", control="answer-without-a-column", **FACTORY)
def answer_with_its_column() -> dict[str, Any]:
    """The column of the answer is named as well."""
    return run(QUESTIONS, printed("columns"))


@fix("columns", control="answer-without-a-column", **FACTORY)
def text_for_pt() -> dict[str, Any]:
    """Stage pt takes the one column as its text."""
    return run(QUESTIONS, PROMPT, stage="pt")


@fix("columns", control="pairs-for-sft", **FACTORY)
def pairs_for_dpo() -> dict[str, Any]:
    """Said to be ranked, in the stage that dpo and rm read data for."""
    return run(PAIRS, RANKED, stage="rm")


@fix("tags", control="roles-without-tags", **FACTORY)
def roles_with_tags() -> dict[str, Any]:
    """The tags say what the roles are called."""
    return run(chats(ASKED, ANSWERED), printed("tags"))


@fix("turns", control="ends-with-the-user", **FACTORY)
def without_the_last_question() -> dict[str, Any]:
    """The question that nobody answered is left out."""
    return run(chats(ASKED, ANSWERED, ASKED), printed("tags"), mend="turns")


@fix("no-limit", control="limit-below-zero", **FACTORY)
def without_a_limit() -> dict[str, Any]:
    """No max_samples at all."""
    return run(chats(ASKED, ANSWERED), printed("tags"))


@fix("no-limit", control="stream-without-a-worker", **FACTORY)
def stream_with_a_worker() -> dict[str, Any]:
    """One worker of the DataLoader."""
    return left_of_stream(workers=printed("workers")["dataloader_num_workers"])


if __name__ == "__main__":
    main(__file__)
