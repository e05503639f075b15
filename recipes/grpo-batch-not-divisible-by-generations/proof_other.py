"""An older TRL, where accumulation did not count, and several processes."""

from __future__ import annotations

from typing import Any

from failure import configure
from proof_groups import run, weigh

from fixbook.recipe import detect, fix, non_fix, reproduce

TRL = ["trl==1.16.0"]
OLD = [
    "trl==0.16.1",
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
OLDER = "an older TRL with its libraries, imported anew"
SEVERAL = "two processes that import TRL anew"


@reproduce(versions=OLD, record_once=OLDER)
def old_words() -> dict[str, Any]:
    """TRL 0.16.1 asks in the trainer, and lists the values it would take."""
    return run()


@reproduce(versions=OLD, record_once=OLDER)
def old_words_for_one() -> dict[str, Any]:
    """One answer to a prompt is refused with the same words."""
    return run(num_generations=1)


@non_fix("accumulate-on-an-old-trl", control="old-words", versions=OLD, record_once=OLDER)
def accumulated_on_an_old_trl() -> dict[str, Any]:
    """Accumulation is no part of the product there."""
    return run(gradient_accumulation_steps=4)


@reproduce(versions=TRL)
def four_answers_on_one_process() -> dict[str, int]:
    """Half of a group."""
    return {"answers": configure(per_device_train_batch_size=4).generation_batch_size}


@fix(
    "fill-the-group",
    control="four-answers-on-one-process",
    versions=TRL,
    ranks=2,
    record_once=SEVERAL,
)
def four_answers_on_two_processes() -> dict[str, int]:
    """The processes share a group."""
    return {"answers": configure(per_device_train_batch_size=4).generation_batch_size}


@detect(found=True, versions=TRL)
def finds_half_a_group() -> dict[str, Any]:
    """Two answers a step, and two steps: four."""
    return weigh()


@detect(found=False, control="finds-half-a-group", versions=TRL)
def accepts_whole_groups() -> dict[str, Any]:
    """The settings of the fix, two answers a step and four steps: eight."""
    return weigh(filled=True)
