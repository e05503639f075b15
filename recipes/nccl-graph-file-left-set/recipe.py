"""NCCL is told to take a graph from a file that was made for another number of GPUs."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from failure import join, start

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL alone is a download of 200 MB",
}
NOT_THERE = "/opt/microsoft/ncv4/graph.xml"  # as images of a cloud have it


def graph_of(gpus: int) -> str:
    """Let NCCL write down the graph that it would take on a machine with so many GPUs."""
    file = Path("graph.xml").absolute()
    with contextlib.redirect_stdout(io.StringIO()):
        join(gpus, NCCL_GRAPH_DUMP_FILE=str(file))
    measure(channels=file.read_text("utf-8").count("<channel>"))
    return str(file)


def looked_at(conf: str, **settings: str) -> dict[str, Any]:
    """Look as the page does, with this file in place of /etc/nccl.conf."""
    said = run_snippet("look", env={"NCCL_CONF_FILE": conf, **settings}).stdout.strip()
    said = said.replace(str(Path.cwd()), "…")
    return {"found": "NCCL_GRAPH_FILE" in said, "said": said}


def begin(
    *, made_for: int = 0, in_file: bool = False, unset: bool = False, removed: bool = False
) -> dict[str, Any]:
    """Start on two GPUs, with a graph that something names.

    Args:
        made_for: GPUs of the machine on which the file was made; 0 for one that is not there.
        in_file: Whether a file of settings names it, and not a variable.
        unset: Whether the variable is taken away.
        removed: Whether the page's lines take it out of the file of settings.
    """
    graph = graph_of(made_for) if made_for else NOT_THERE
    conf = Path("nccl.conf").absolute()
    conf.write_text("NCCL_IB_TIMEOUT=22\n" + in_file * f"NCCL_GRAPH_FILE={graph}\n", "utf-8")
    settings = {} if in_file else {"NCCL_GRAPH_FILE": graph}
    if unset:
        settings.pop("NCCL_GRAPH_FILE", "")
    if removed:
        run_snippet("remove", env={"NCCL_CONF_FILE": str(conf)})
    measure(taken_away=unset, **looked_at(conf.name, **settings))
    return start(2, NCCL_CONF_FILE=str(conf), **settings)


@reproduce(**NCCL)
def graph_of_four_gpus() -> Any:
    """Two GPUs, and a file for four."""
    return begin(made_for=4)


@reproduce(**NCCL)
def graph_not_there() -> Any:
    """A file that is not in this image."""
    return begin()


@reproduce(**NCCL)
def set_in_a_file() -> Any:
    """No variable; a file of settings names the graph."""
    return begin(in_file=True)


@fix("unset", control="graph-of-four-gpus", **NCCL)
def unset_variable() -> Any:
    """NCCL searches for itself."""
    return begin(made_for=4, unset=True)


@fix("unset", control="set-in-a-file", **NCCL)
def removed_from_the_file() -> Any:
    """The page's line takes it out of the file of settings."""
    return begin(in_file=True, removed=True)


@non_fix("variable", control="set-in-a-file", **NCCL)
def variable_unset() -> Any:
    """The variable is unset in the shell, which it was."""
    return begin(in_file=True, unset=True)


def look(name: str) -> dict[str, Any]:
    """Look where a variable of this name is set, to a file that is not there, and start."""
    settings = {name: "/opt/microsoft/ncv4/file.xml"}
    seen = looked_at("/none", **settings)
    try:
        return seen | start(2, **settings)
    except RuntimeError:
        return seen


@detect(found=True, **NCCL)
def looks_for_a_graph() -> Any:
    """A graph is named."""
    return look("NCCL_GRAPH_FILE")


@detect(found=False, control="looks-for-a-graph", **NCCL)
def topology_not_there() -> Any:
    """A topology is named: NCCL starts without a word."""
    return look("NCCL_TOPO_FILE")


if __name__ == "__main__":
    main(__file__)
