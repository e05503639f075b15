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

from proof_groups import answers, run, weigh

from fixbook.recipe import detect, fix, main, non_fix, reproduce

TRL = ["trl==1.16.0"]
LIBRARIES = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
TRL_0_16 = ["trl==0.16.1", *LIBRARIES]
TRL_0_17 = ["trl==0.17.0", *LIBRARIES]
OLDER = "an older TRL with its libraries, imported anew"
SEVERAL = "two processes that import TRL anew"
EVALUATED = {
    "per_device_train_batch_size": 4,
    "gradient_accumulation_steps": 2,
    "per_device_eval_batch_size": 3,
    "eval_strategy": "steps",
    "eval_steps": 4,
}


@reproduce(on="any", versions=TRL)
def two_answers_of_eight() -> dict[str, Any]:
    """Two answers a step are a quarter of a group."""
    return run()


@reproduce(on="any", versions=TRL)
def twelve_answers() -> dict[str, Any]:
    """A group and a half."""
    return run(generation_batch_size=12)


@reproduce(on="any", versions=TRL)
def evaluation_of_three() -> dict[str, Any]:
    """The batches of evaluation are asked as well, and what is accumulated does not count there."""
    return run(**EVALUATED)


@reproduce(on="any", versions=TRL)
def one_answer() -> dict[str, Any]:
    """One answer has nothing to be compared with."""
    return run(num_generations=1)


@fix("fill-the-group", control="two-answers-of-eight", on="any", versions=TRL)
def accumulated() -> dict[str, Any]:
    """Four steps of two answers, in one update."""
    return run(filled=True)


@fix("fill-the-group", control="two-answers-of-eight", on="any", versions=TRL)
def eight_at_once() -> dict[str, Any]:
    """One step of eight answers."""
    return run(per_device_train_batch_size=8)


@fix("fill-the-group", control="two-answers-of-eight", on="any", versions=TRL)
def several_updates() -> dict[str, Any]:
    """Eight answers, and four updates from them."""
    return run(steps_per_generation=4)


@fix("fill-the-group", control="twelve-answers", on="any", versions=TRL)
def sixteen_answers() -> dict[str, Any]:
    """Two groups."""
    return run(generation_batch_size=16)


@fix("own-number-for-evaluation", control="evaluation-of-three", on="any", versions=TRL)
def three_answers_evaluated() -> dict[str, Any]:
    """Evaluation makes three answers to a prompt, here twice in eight steps."""
    return run(num_generations_eval=3, **EVALUATED)


@non_fix("fewer-generations", control="two-answers-of-eight", on="any", versions=TRL)
def two_generations() -> dict[str, Any]:
    """Two answers to a prompt are often both right or both wrong."""
    return run(num_generations=2)


@reproduce(versions=TRL)
def four_answers_on_one_process() -> dict[str, int]:
    """Half of a group."""
    return answers()


@fix(
    "fill-the-group",
    control="four-answers-on-one-process",
    versions=TRL,
    ranks=2,
    record_once=SEVERAL,
)
def four_answers_on_two_processes() -> dict[str, int]:
    """The processes share a group."""
    return answers()


@detect(found=True, versions=TRL)
def finds_half_a_group() -> dict[str, Any]:
    """Two answers a step, and two steps: four."""
    return weigh()


@detect(found=False, control="finds-half-a-group", versions=TRL)
def accepts_whole_groups() -> dict[str, Any]:
    """The settings of the fix, two answers a step and four steps: eight."""
    return weigh(filled=True)


@reproduce(on="any", versions=TRL_0_16, record_once=OLDER)
def old_words() -> dict[str, Any]:
    """TRL 0.16.1 asks in the trainer, and lists the values it would take."""
    return run()


@reproduce(on="any", versions=TRL_0_16, record_once=OLDER)
def old_words_for_one() -> dict[str, Any]:
    """One answer to a prompt is refused with the same words."""
    return run(num_generations=1)


@non_fix(
    "accumulate-on-an-old-trl",
    control="old-words",
    on="any",
    versions=TRL_0_16,
    record_once=OLDER,
)
def accumulated_on_an_old_trl() -> dict[str, Any]:
    """Accumulation is no part of the product there."""
    return run(gradient_accumulation_steps=4)


@reproduce(on="any", versions=TRL_0_16, record_once=OLDER)
def accumulated_on_trl_0_16() -> dict[str, Any]:
    """Four steps of two answers, which would be a group."""
    return run(gradient_accumulation_steps=4)


@fix(
    "fill-the-group",
    control="accumulated-on-trl-0-16",
    on="any",
    versions=TRL_0_17,
    record_once=OLDER,
)
def accumulated_on_trl_0_17() -> dict[str, Any]:
    """Here it is."""
    return run(gradient_accumulation_steps=4)


if __name__ == "__main__":
    main(__file__)
