"""A backward through a graph that an earlier one has freed, in the five ways people get there."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_graph import (
    add_number,
    compare,
    detached,
    look,
    merge,
    not_reentrant,
    plain,
    retained,
    run,
    summed,
    unused,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

EACH = {"add": lambda loss, _total: loss}  # what each batch adds: the loss of it alone
PLAIN = {"call": plain}


@reproduce(on="any")
def reentrant_checkpoint() -> Any:
    """Each checkpointed block runs a backward of its own into the shared features."""
    return compare("by_closure", known=PLAIN)


@reproduce(on="any")
def carried_state() -> Any:
    """The second chunk reaches back into the first one's graph."""
    return run("carried_state")


@reproduce(on="any")
def merged_once() -> Any:
    """The second step reaches back to the merge before the loop."""
    return run("merged")


@reproduce(on="any")
def running_total() -> Any:
    """The total of two batches holds the graph of the first."""
    return compare("running_total", known=EACH)


@reproduce(on="any")
def two_losses() -> Any:
    """The second loss needs the trunk that the first one's backward has freed."""
    return compare("two_losses", known={})


@detect(found=True, on="any")
def line_of_the_state() -> Any:
    """PyTorch names the forward of the chunk before."""
    return look("carried_state")


@detect(found=True, on="any")
def line_of_the_merge() -> Any:
    """PyTorch names the line before the loop."""
    return look("merged")


@detect(found=True, on="any")
def line_of_the_features() -> Any:
    """PyTorch names the encoder, outside the checkpoints."""
    return look("by_closure")


@detect(found=False, control="line-of-the-state", on="any")
def no_line_once_detached() -> Any:
    """A sound loop prints nothing."""
    return look("carried_state", cut=detached)


@fix("not-reentrant", control="reentrant-checkpoint", on="any")
def checkpoint_not_reentrant() -> Any:
    """The engine itself walks through the blocks, and frees the features' graph once."""
    return compare("by_closure", known=PLAIN, call=not_reentrant)


@fix("detach", control="carried-state", on="any")
def state_detached() -> Any:
    """The state keeps its values and loses its history."""
    return run("carried_state", cut=detached)


@fix("merge-each-step", control="merged-once", on="any")
def merged_in_each_step() -> Any:
    """Each step has a merge, and a graph, of its own."""
    return run("merged", each=merge)


@fix("add-the-number", control="running-total", on="any")
def backward_on_each_loss() -> Any:
    """The total holds numbers."""
    return compare("running_total", known=EACH, add=add_number)


@fix("sum-the-losses", control="two-losses", on="any")
def losses_summed() -> Any:
    """One backward passes the trunk once."""
    return compare("two_losses", known={}, backward=summed)


@fix("retain-the-first", control="two-losses", on="any")
def first_graph_retained() -> Any:
    """The same gradient, for two passes through the trunk."""
    return compare("two_losses", known={}, backward=retained)


@non_fix("retain-graph", control="carried-state", on="any")
def state_with_its_graph() -> Any:
    """The old graph is there, but the optimizer has changed the weights it was made with."""
    return run("carried_state", retain=True)


@non_fix("retain-graph", control="running-total", on="any")
def total_with_its_graphs() -> Any:
    """Every backward adds the gradients of all batches so far once more."""
    return compare("running_total", known=EACH, retain=True)


@non_fix("retain-graph", control="reentrant-checkpoint", on="any")
def checkpoint_with_its_graph() -> Any:
    """The backward within the checkpoint does not hear of it."""
    return compare("by_closure", known=PLAIN, retain=True)


@non_fix("detach-what-is-trained", control="merged-once", on="any")
def merged_and_detached() -> Any:
    """Nothing raises, and the delta never moves."""
    return run("merged", cut=True)


@detect(found=True, on="any")
def delta_never_used() -> Any:
    """An addition saves nothing, so the weight merged before the loop is used for ever."""
    return unused()


@detect(found=False, control="delta-never-used", on="any")
def delta_used() -> Any:
    """The delta is added in each step."""
    return unused(each=lambda frozen, _a, b: frozen + b)


@detect(found=True, on="any")
def gradient_lost_in_a_dict() -> Any:
    """What the first block left was made without a graph."""
    ended = compare("by_dict", known=PLAIN)
    return {"found": ended["off_by"] > 1e-3, **ended}


@detect(found=False, control="gradient-lost-in-a-dict", on="any")
def gradient_kept_in_a_dict() -> Any:
    """It is made with its graph."""
    ended = compare("by_dict", known=PLAIN, call=not_reentrant)
    return {"found": ended["off_by"] > 1e-3, **ended}


if __name__ == "__main__":
    main(__file__)
