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

from proof_graph import compare, run

from fixbook.recipe import fix, main, non_fix, reproduce

ALWAYS = 99


@reproduce()
def carried_state() -> Any:
    """The second chunk reaches back into the first one's graph."""
    return run("carried_state")


@reproduce()
def merged_once() -> Any:
    """The second step reaches back to the merge before the loop."""
    return run("merged")


@reproduce()
def running_total() -> Any:
    """The total of two batches holds the graph of the first."""
    return compare("running_total", known={"each": True})


@reproduce()
def two_losses() -> Any:
    """The second loss needs the trunk that the first one's backward has freed."""
    return compare("two_losses", known={})


@reproduce()
def reentrant_checkpoint() -> Any:
    """Each checkpointed block runs a backward of its own into the shared features."""
    return compare("shared_features", known={"reentrant": False})


@fix("mend-the-tensor", control="carried-state")
def state_detached() -> Any:
    """The state keeps its values and loses its history."""
    return run("carried_state", detach=True)


@fix("mend-the-tensor", control="merged-once")
def merged_in_each_step() -> Any:
    """Each step has a merge, and a graph, of its own."""
    return run("merged", each=True)


@fix("mend-the-tensor", control="running-total")
def backward_on_each_loss() -> Any:
    """The total holds numbers."""
    return compare("running_total", known={"each": True}, each=True)


@fix("mend-the-tensor", control="two-losses")
def losses_summed() -> Any:
    """One backward passes the trunk once."""
    return compare("two_losses", known={}, together=True)


@fix("retain-the-first", control="two-losses")
def first_graph_retained() -> Any:
    """The same gradient, for two passes through the trunk."""
    return compare("two_losses", known={}, retain=1)


@fix("mend-the-tensor", control="reentrant-checkpoint")
def checkpoint_not_reentrant() -> Any:
    """The engine itself walks through the blocks, and frees the features' graph once."""
    return compare("shared_features", known={"reentrant": False}, reentrant=False)


@non_fix("retain-graph", control="carried-state")
def state_with_its_graph() -> Any:
    """The old graph is there, but the optimizer has changed the weights it was made with."""
    return run("carried_state", retain=ALWAYS)


@non_fix("retain-graph", control="running-total")
def total_with_its_graphs() -> Any:
    """Every backward adds the gradients of all batches so far once more."""
    return compare("running_total", known={"each": True}, retain=ALWAYS)


@non_fix("retain-graph", control="reentrant-checkpoint")
def checkpoint_with_its_graph() -> Any:
    """The backward within the checkpoint does not hear of it."""
    return compare("shared_features", known={"reentrant": False}, retain=ALWAYS)


@non_fix("detach-what-is-trained", control="merged-once")
def merged_and_detached() -> Any:
    """Nothing raises, and the delta never moves."""
    return run("merged", cut=True)


if __name__ == "__main__":
    main(__file__)
