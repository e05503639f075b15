"""A collective that some ranks leave out, or call with another size."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import evaluate, gather, log, save
from proof_run import (
    checked,
    counted,
    evaluate_while_others_wait,
    evaluated,
    predictions,
    save_while_others_wait,
    saved,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

DETAIL = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}


@reproduce(on="cpu", ranks=2)
def saved_by_rank_0() -> Any:
    """Rank 0 gathers the model, and rank 1 is in its next step."""
    return saved(save)


@reproduce(on="cpu", ranks=2)
def evaluated_by_rank_0() -> Any:
    """The forward of DDP broadcasts the buffers of BatchNorm, and rank 1 is in its next step."""
    return evaluated(evaluate)


@reproduce(on="cpu", ranks=2)
def other_sizes() -> Any:
    """Rank 1 has more rows."""
    return predictions(gather)


@detect(found=True, on="cpu", ranks=2, env=DETAIL)
def detail_names_both() -> Any:
    """No wait and no crash: both ranks say what they ask for."""
    return checked(gather)


@detect(found=False, control="detail-names-both", on="cpu", ranks=2, env=DETAIL)
def detail_accepts_the_fix() -> Any:
    """The padded rows pass."""
    return checked(snippet("pad")["gather"])


@detect(found=True, on="cpu", ranks=2)
def one_logs() -> Any:
    """The loss of rank 0 is added to the tokens of rank 1, and nobody objects until the end."""
    seen = counted(log)
    return seen | {"found": seen["wrong"]}


@detect(found=False, control="one-logs", on="cpu", ranks=2)
def all_log() -> Any:
    """Each sum is of what it should be."""
    seen = counted(snippet("log")["log"])
    return seen | {"found": seen["wrong"]}


@detect(found=True, on="cpu", ranks=2, env=DETAIL)
def one_logs_under_detail() -> Any:
    """It objects to nothing: operation and shape are the same on both."""
    seen = counted(log)
    return seen | {"found": seen["wrong"]}


@detect(found=True, on="any", ranks=2)
def calls_compared() -> Any:
    """The first call at which the ranks stand at different lines is refused."""
    seen = counted(log, compare=True)
    return seen | {"found": seen["names_lines"]}


@detect(found=False, control="calls-compared", on="any", ranks=2)
def calls_agree() -> Any:
    """It lets the repaired evaluation pass."""
    seen = counted(snippet("log")["log"], compare=True)
    return seen | {"found": seen["names_lines"]}


@fix("every-rank", control="saved-by-rank-0", on="cpu", ranks=2)
def saved_by_all() -> Any:
    """All ranks gather, rank 0 writes."""
    return saved(snippet("save")["save"])


@fix("unwrapped", control="evaluated-by-rank-0", on="cpu", ranks=2)
def evaluated_without_ddp() -> Any:
    """The module inside issues no collective."""
    return evaluated(snippet("evaluate")["evaluate"])


@fix("pad", control="other-sizes", on="cpu", ranks=2)
def padded() -> Any:
    """Both send as many rows as the longer has."""
    return predictions(snippet("pad")["gather"])


@non_fix("else-barrier", control="saved-by-rank-0", on="cpu", ranks=2)
def others_wait() -> Any:
    """A barrier is a collective too, and not the one that rank 0 is in."""
    return saved(save_while_others_wait)


@non_fix("else-barrier", control="evaluated-by-rank-0", on="cpu", ranks=2)
def others_wait_for_ddp() -> Any:
    """The barrier of rank 1 meets the broadcast of rank 0."""
    return evaluated(evaluate_while_others_wait)


if __name__ == "__main__":
    main(__file__)
