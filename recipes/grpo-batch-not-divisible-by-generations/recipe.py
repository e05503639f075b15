"""GRPO refuses a batch that is no multiple of the answers to a prompt."""
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

from proof_groups import run

from fixbook.recipe import fix, main, non_fix, reproduce

TRL = ["trl==1.16.0"]
EVALUATED = {
    "per_device_train_batch_size": 4,
    "gradient_accumulation_steps": 2,
    "per_device_eval_batch_size": 3,
    "eval_strategy": "steps",
    "eval_steps": 4,
}


@reproduce(versions=TRL)
def two_answers_of_eight() -> dict[str, Any]:
    """Two answers a step are a quarter of a group."""
    return run()


@reproduce(versions=TRL)
def twelve_answers() -> dict[str, Any]:
    """A group and a half."""
    return run(generation_batch_size=12)


@reproduce(versions=TRL)
def evaluation_of_three() -> dict[str, Any]:
    """The batches of evaluation are asked as well, and what is accumulated does not count there."""
    return run(**EVALUATED)


@reproduce(versions=TRL)
def one_answer() -> dict[str, Any]:
    """One answer has nothing to be compared with."""
    return run(num_generations=1)


@fix("fill-the-group", control="two-answers-of-eight", versions=TRL)
def accumulated() -> dict[str, Any]:
    """Four steps of two answers, in one update."""
    return run(filled=True)


@fix("fill-the-group", control="two-answers-of-eight", versions=TRL)
def eight_at_once() -> dict[str, Any]:
    """One step of eight answers."""
    return run(per_device_train_batch_size=8)


@fix("fill-the-group", control="two-answers-of-eight", versions=TRL)
def several_updates() -> dict[str, Any]:
    """Eight answers, and four updates from them."""
    return run(steps_per_generation=4)


@fix("fill-the-group", control="twelve-answers", versions=TRL)
def sixteen_answers() -> dict[str, Any]:
    """Two groups."""
    return run(generation_batch_size=16)


@fix("own-number-for-evaluation", control="evaluation-of-three", versions=TRL)
def three_answers_evaluated() -> dict[str, Any]:
    """Evaluation makes three answers to a prompt, here twice in eight steps."""
    return run(num_generations_eval=3, **EVALUATED)


@non_fix("fewer-generations", control="two-answers-of-eight", versions=TRL)
def two_generations() -> dict[str, Any]:
    """Two answers to a prompt are often both right or both wrong."""
    return run(num_generations=2)


if __name__ == "__main__":
    main(__file__)
