"""fullgraph=True makes an error of whatever Dynamo cannot put into one graph."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import (
    branch,
    branch_on_a_number,
    compile_and_call,
    export,
    logged,
    logger,
    positive,
    printed,
    salted,
    scaled_by,
    through,
    through_c,
)

from fixbook.recipe import detect, device, fix, main, non_fix, reproduce, snippet


def scaled(name: str, plain: Any = branch) -> Any:
    """Take the function of the page."""
    return scaled_by(snippet(name, torch=torch)["scale_down"], plain)


def as_operator() -> Any:
    """Wrap the C code as the page does."""
    return through(snippet("custom-op", torch=torch, salted=salted)["salted_op"])


def with_line(name: str, function: Any) -> Any:
    """Run the line of the page first."""
    snippet(name, torch=torch, logger=logger)
    return function


@reproduce(on="any")
def data_dependent_branch() -> Any:
    """An if over a tensor."""
    return compile_and_call(branch)


@reproduce(on="any")
def branch_over_item() -> Any:
    """An if over what .item() gave."""
    return compile_and_call(branch_on_a_number)


@reproduce(on="any")
def branch_exported() -> Any:
    """The same in torch.export."""
    return export(branch)


@reproduce(on="any")
def print_of_a_tensor() -> Any:
    """A print."""
    return compile_and_call(printed)


@reproduce(on="any")
def logger_call() -> Any:
    """A logger."""
    return compile_and_call(logged)


@reproduce()
def c_extension() -> Any:
    """A function written in C."""
    return compile_and_call(through_c)


@reproduce()
def function_disabled() -> Any:
    """The function that is left out is a graph break, too."""
    return compile_and_call(through(torch.compiler.disable(salted)))


@reproduce(on="any")
def limit_raised() -> Any:
    """The limit is of no consequence."""
    return compile_and_call(branch, recompile_limit=64)


@fix("where", control="data-dependent-branch", on="any")
def where() -> Any:
    """Both are computed, and one is chosen."""
    return compile_and_call(scaled("where"))


@fix("where", control="branch-over-item", on="any")
def where_instead_of_item() -> Any:
    """The peak stays a tensor."""
    return compile_and_call(scaled("where", branch_on_a_number))


@fix("where", control="branch-exported", on="any")
def where_exported() -> Any:
    """It is exported."""
    return export(scaled("where"))


@fix("where", control="branch-over-item", on="any")
def mask_and_item() -> Any:
    """Numbers are used, and nothing branches over them."""
    return compile_and_call(positive)


@fix("cond", control="data-dependent-branch", on="any")
def cond() -> Any:
    """Both branches are in the graph, and one is computed."""
    return compile_and_call(scaled("cond"))


@fix("print-later", control="print-of-a-tensor", on="any")
def print_later() -> Any:
    """It is printed behind the graph."""
    return compile_and_call(with_line("print-later", printed))


@fix("no-logging", control="logger-call", on="any")
def logger_ignored() -> Any:
    """Nothing is logged."""
    return compile_and_call(with_line("no-logging", logged))


@fix("custom-op", control="c-extension")
def custom_op() -> Any:
    """Dynamo is told the shape of what comes out."""
    return compile_and_call(as_operator())


@fix("several-graphs", control="data-dependent-branch", on="any")
def without_fullgraph() -> Any:
    """The code runs in parts."""
    return compile_and_call(branch, fullgraph=False)


@non_fix("suppress-errors", control="data-dependent-branch", on="any")
def errors_suppressed() -> Any:
    """The variable holds, and the error is the same."""
    return compile_and_call(branch, suppress_errors=True)


@non_fix("allow", control="c-extension")
def function_allowed() -> Any:
    """The function is run with tensors that have no numbers."""
    return compile_and_call(through(torch.compiler.allow_in_graph(salted)))


def explained(function: Any) -> dict[str, Any]:
    """Look as the page does."""
    x = torch.ones(4, device=device())
    found = snippet("explain", function=function, x=x, torch=torch)["found"]
    return {"found": found.graph_break_count > 0, "graphs": found.graph_count}


@detect(found=True, on="any")
def broken() -> dict[str, Any]:
    """The branch."""
    return explained(branch)


@detect(found=False, control="broken", on="any")
def whole() -> dict[str, Any]:
    """The choice."""
    return explained(scaled("where"))


if __name__ == "__main__":
    main(__file__)
