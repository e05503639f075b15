"""A job without a terminal and without a key, and a script that logs to wandb."""
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

from proof_job import asked, by_trainer, job, reported

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

WANDB = ["wandb==0.31.0"]
OLDER = ["wandb==0.22.3", "sentry-sdk==2.42.1", "protobuf==6.33.0"]
LAST_4 = [
    *WANDB,
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
ONCE = "wandb with its program, 25 MB, imported anew"


@reproduce(versions=WANDB, record_once=ONCE)
def own_training_loop() -> dict[str, Any]:
    """The script calls wandb.init itself."""
    return job()


@reproduce(versions=LAST_4, record_once=ONCE)
def trainer_of_transformers_4() -> dict[str, Any]:
    """Nobody asked the Trainer for wandb, which is installed."""
    return by_trainer()


@reproduce(versions=OLDER, record_once=ONCE)
def older_wandb() -> dict[str, Any]:
    """The words of earlier releases."""
    return job()


@fix("switch-off", control="own-training-loop", versions=WANDB, record_once=ONCE)
def switched_off() -> dict[str, Any]:
    """The script runs, and wandb keeps nothing."""
    return job("off")


@fix("report-to-none", control="trainer-of-transformers-4", versions=LAST_4, record_once=ONCE)
def trainer_without_wandb() -> dict[str, Any]:
    """The Trainer leaves wandb alone."""
    return by_trainer(**snippet("none")["options"])


@fix("offline", control="own-training-loop", versions=WANDB, record_once=ONCE)
def kept_in_a_folder() -> dict[str, Any]:
    """The run is written to the disk."""
    return job("offline")


@fix("key", control="own-training-loop", versions=WANDB, record_once=ONCE)
def key_in_the_environment() -> dict[str, Any]:
    """The run goes to a server, here one of this machine."""
    return job("key")


@non_fix(
    "disabled-variable",
    control="own-training-loop",
    versions=WANDB,
    env={"WANDB_DISABLED": "true"},
    record_once=ONCE,
)
def variable_of_the_trainer() -> dict[str, Any]:
    """The variable is not read by wandb."""
    return job()


@non_fix(
    "none-without-quotes",
    control="trainer-of-transformers-4",
    versions=LAST_4,
    record_once=ONCE,
)
def none_of_python() -> dict[str, Any]:
    """None means all of them."""
    return by_trainer(report_to=None)


@detect(found=True, versions=WANDB, record_once=ONCE)
def job_without_a_key() -> dict[str, Any]:
    """The question, in the job that fails."""
    return asked()


@detect(found=True, versions=WANDB, record_once=ONCE)
def trainer_of_transformers_5_logs_nowhere() -> dict[str, Any]:
    """The same Trainer after the upgrade."""
    return reported()


@detect(
    found=False,
    control="trainer-of-transformers-5-logs-nowhere",
    versions=LAST_4,
    record_once=ONCE,
)
def trainer_of_transformers_4_logs() -> dict[str, Any]:
    """Before the upgrade."""
    return reported()


if __name__ == "__main__":
    main(__file__)
