"""Python code that Dynamo cannot put into one graph, compiled with fullgraph=True."""

from __future__ import annotations

import contextlib
import io
import logging
import zlib
from types import FunctionType
from typing import Any

import torch
from torch._dynamo.trace_rules import is_callable_allowed
from torch._dynamo.utils import counters

from fixbook.recipe import device, measure

LIMIT = 100.0
logger = logging.getLogger("model")
lines = io.StringIO()
logger.addHandler(logging.StreamHandler(lines))


def branch(x: torch.Tensor) -> torch.Tensor:
    """Scale down what is large: whether, depends on the numbers."""
    peak = x.abs().max()
    if peak > LIMIT:
        x = x / peak
    return x * 2


def branch_on_a_number(x: torch.Tensor) -> torch.Tensor:
    """Do the same, with the peak as a number of Python's."""
    peak = x.abs().max().item()
    if peak > LIMIT:
        x = x / peak
    return x * 2


def printed(x: torch.Tensor) -> torch.Tensor:
    """Print a tensor in the middle."""
    y = x * 2
    print("peak", y.abs().max())
    return y + 1


def logged(x: torch.Tensor) -> torch.Tensor:
    """Log a tensor in the middle."""
    y = x * 2
    logger.warning("peak %s", y.abs().max())
    return y + 1


def positive(x: torch.Tensor) -> torch.Tensor:
    """Keep what is positive, divided by the peak: no branch, and all depends on the numbers."""
    return x[x > 0] / x.max().item()


def salted(x: torch.Tensor) -> torch.Tensor:
    """Call C code that knows nothing of torch."""
    return x + zlib.crc32(x.numpy()) % 7


def through_c(x: torch.Tensor) -> torch.Tensor:
    """Go through C code in the middle."""
    return salted(x * 2) * 2


def in_place_of(plain: Any, function: Any) -> Any:
    """Say which code a function rewrites, to be compared with it."""
    function.plain = plain
    return function


def scaled_by(scale_down: Any, plain: Any) -> Any:
    """Call the page's function where the branch was; Dynamo wants it to be of a module."""
    own = FunctionType(scale_down.__code__, globals())
    return in_place_of(plain, lambda x: own(x, LIMIT) * 2)


def through(function: Any) -> Any:
    """Call another function where the C code was."""
    measure(allowed=is_callable_allowed(function))
    return in_place_of(through_c, lambda x: function(x * 2) * 2)


def compile_and_call(function: Any, *, fullgraph: bool = True, **settings: Any) -> dict[str, Any]:
    """Compile, call with large and with small numbers, and compare with the plain code."""
    for name, value in settings.items():
        setattr(torch._dynamo.config, name, value)
    measure(**{name: getattr(torch._dynamo.config, name) for name in settings})
    compiled = torch.compile(function, backend="eager", fullgraph=fullgraph)
    large = torch.full((4,), 200.0, device=device())
    with contextlib.redirect_stdout(io.StringIO()) as output:
        outputs = [compiled(x) for x in (large, large / 100)]
    said = lines.getvalue().count("peak") + output.getvalue().count("peak")
    measure(graphs=counters["stats"]["unique_graphs"], said=said)
    plain = getattr(function, "plain", function)
    with contextlib.redirect_stdout(io.StringIO()):
        wanted = [plain(x) for x in (large, large / 100)]
    return {"same": all(map(torch.equal, outputs, wanted))}


def export(function: Any) -> dict[str, Any]:
    """Export a module that calls the function."""

    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return function(x)

    program = torch.export.export(Model(), (torch.ones(4, device=device()),))
    large = torch.full((4,), 200.0, device=device())
    return {"same": torch.equal(program.module()(large), branch(large))}
