"""Code is parsed in threads side by side, as steps run, without harm."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.reading import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = Path(__file__).read_text("utf-8") * 5


class _LetsOthersRun:
    """Garbage in a cycle, whose end lets another thread run in the middle of what this one does."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0.0005)


@pytest.fixture
def busy_collector() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(200, 2, 2)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("busy_collector")
def test_threads_that_parse_side_by_side() -> None:
    def parse_often(_: int) -> int:
        for _ in range(3):
            _LetsOthersRun()
        return len(parse(_CODE).body)

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(parse_often, range(200)))) == 1
