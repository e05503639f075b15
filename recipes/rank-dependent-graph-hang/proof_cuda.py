"""The same on NCCL, which needs a GPU for each rank; not run yet."""

from __future__ import annotations

from typing import Any

from failure import VisionLanguage, images_alone
from proof_run import run
from proof_waits import analysed

from fixbook.recipe import detect, fix, reproduce, snippet


@reproduce(on="cuda>=2", ranks=2, timeout_s=300)
def nccl_one_rank_skips() -> Any:
    """Nobody aborts: the watchdog ends the job after its timeout."""
    return run("fsdp2", VisionLanguage(images_alone), wait_s=15.0, device="cuda")


@fix("blank-image", control="nccl-one-rank-skips", on="cuda>=2", ranks=2, timeout_s=300)
def nccl_blank_image() -> Any:
    """Runs to its end."""
    return run(
        "fsdp2", VisionLanguage(snippet("blank-image")["encode"]), wait_s=15.0, device="cuda"
    )


def skips() -> None:
    """Run the failing training; the watchdog itself writes the record out."""
    run("fsdp2", VisionLanguage(images_alone), wait_s=15.0, device="cuda")


@detect(found=True, on="cuda>=2", programs=["torchrun", "torchfrtrace"], timeout_s=300)
def nccl_recorder_finds_it() -> Any:
    """The recorder and its analyser, as the page prints them."""
    return analysed("skips", "proof_cuda")
