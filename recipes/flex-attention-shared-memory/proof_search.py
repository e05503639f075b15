"""A search among candidates on a simulated GPU: compiling is real, timing is not."""

from __future__ import annotations

import itertools
import logging
import os
import subprocess
from typing import Any

from fixbook.recipe import snippet_text


def export(name: str) -> None:
    """Take over what a shell snippet of the page exports."""
    script = f"{snippet_text(name)}\nenv -0"
    shown = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True)
    os.environ.update(line.split("=", 1) for line in shown.stdout.split("\0") if line)


class Search(logging.Handler):
    """Lets inductor search without a GPU to time on, and counts what it does.

    Every candidate is compiled and checked; of those that fit, the first is taken for the fastest.

    Attributes:
        tried: How many candidates were compiled.
        dropped: How many of them did not fit, each with a line in the log.
    """

    def __init__(self) -> None:
        super().__init__()
        from torch._inductor.autotune_process import TritonBenchmarkRequest
        from torch._inductor.select_algorithm import AlgorithmSelectorCache

        self.tried = self.dropped = 0
        clock = itertools.count(1)
        compile_now = TritonBenchmarkRequest.precompile

        def benchmark(_class: Any, choice: Any, _inputs: Any) -> float:
            self.tried += 1
            compile_now(choice.bmreq)
            return float(next(clock))

        TritonBenchmarkRequest.precompile = lambda _: None
        AlgorithmSelectorCache.get_inputs = classmethod(lambda *_, **__: None)
        AlgorithmSelectorCache.benchmark_choice = classmethod(benchmark)
        logging.getLogger("torch._inductor.select_algorithm").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Count a candidate that does not fit."""
        self.dropped += "out of resource" in record.getMessage()
