"""Logs are cleaned without losing their lines, and causes come before consequences."""

from __future__ import annotations

from typing import Any

import pytest

from fixbook.log.diagnose import diagnose
from fixbook.log.diagnosis import Capture
from fixbook.log.literals import required_literals
from fixbook.log.normalise import OVERLAP, WINDOW, clean_line, normalise
from fixbook.log.reading import CHUNK, whole_lines
from fixbook.log.signatures import index_from


@pytest.mark.parametrize(
    ("raw", "text", "rank"),
    [
        ("[rank3]: RuntimeError: x", "RuntimeError: x", 3),
        ("[default0]:[rank0]: x", "x", 0),
        ("\x1b[36m(main_task pid=3, ip=1.2.3.4)\x1b[0m x", "x", None),
        ("2025-04-22 10:56:01,149 x", "x", None),
        ("[rank0]:W0422 10:56:01.149000 45696 torch/distributed/planner.py:543] x", "x", 0),
        ("ERROR 02-25 11:11:34 engine.py:139] x", "x", None),
        ("7: x", "x", 7),
        ("[1,2]<stderr>:x", "x", 1),
        ("ValueError: 3: x", "ValueError: 3: x", None),
    ],
)
def test_prefixes(raw: str, text: str, rank: int | None) -> None:
    assert clean_line(raw) == (text, rank)


def test_progress_bar_and_error_on_one_line() -> None:
    lines = list(normalise(["ok\n", " 10%|#\r 50%|##\rRuntimeError: x\n"]))
    assert [(line.number, line.text) for line in lines][-1] == (2, "RuntimeError: x")


def test_long_line_is_read_in_windows() -> None:
    line = "a" * (WINDOW + 100) + "needle" + "b" * WINDOW
    windows = [part.text for part in normalise([line])]
    assert any("needle" in window for window in windows)
    assert all(len(window) <= WINDOW for window in windows)
    assert windows[0][-OVERLAP:] == windows[1][:OVERLAP]


def row(
    owner: str, pattern: str, *, specific: bool = True, secondary: bool = False, **more: str
) -> dict[str, Any]:
    return {
        "owner": owner,
        "name": owner,
        "specific": specific,
        "same": [],
        "differ": [],
        "secondary": secondary,
        "echo": False,
        "pattern": pattern,
        "context": [more["context"]] if "context" in more else [],
        "unless": [more["unless"]] if "unless" in more else [],
        "literals": required_literals(pattern),
    }


ROWS = [
    row("oom-entry", r"out of memory .* (?P<size>\d+) GiB", context="vocab"),
    row("other-entry", r"wrong shape", unless="Ignoring this choice"),
    row("oom", "out of memory", specific=False),
    row("timeout", "watchdog timeout", specific=False, secondary=True),
]
INDEX = index_from(
    {
        "matchers": ROWS,
        "causes": {"oom": ["oom-entry"], "timeout": []},
        "surroundings": {p: required_literals(p) for p in ("vocab", "Ignoring this choice")},
    }
)


def owners(text: str) -> list[str]:
    return [match.owner for match in diagnose(text, INDEX).matches]


def test_specific_beats_symptom_and_context_decides() -> None:
    assert owners("vocab 9\nout of memory at 12 GiB") == ["oom-entry", "oom"]
    assert owners("out of memory at 12 GiB") == ["oom"]


def test_unless_silences_a_signature() -> None:
    assert owners("wrong shape") == ["other-entry"]
    assert owners("wrong shape\nIgnoring this choice.") == []


def test_an_error_whose_pattern_does_not_count_here_is_one_that_nothing_explains() -> None:
    error = "RuntimeError: out of memory at 12 GiB"
    for known in ("", "OSError: watchdog timeout\n"):
        text = f"{known}{error.replace('out of memory', 'wrong shape')}\nIgnoring this choice."
        found = diagnose(text, INDEX)
        assert [one.line.text for one in found.unknown] == ["RuntimeError: wrong shape at 12 GiB"]
        assert found.exception
        assert found.exception.line.text == "RuntimeError: wrong shape at 12 GiB"
    assert diagnose(error, INDEX).unknown == ()  # the message explains the line


def test_a_consequence_never_hides_a_cause() -> None:
    assert owners("watchdog timeout\nout of memory") == ["oom", "timeout"]


def test_the_earliest_cause_wins() -> None:
    assert owners("wrong shape\nvocab\nout of memory at 3 GiB")[0] == "other-entry"


def test_captured_values_and_line() -> None:
    best = diagnose("vocab\n[rank2]: out of memory at 12 GiB", INDEX).best
    assert best
    assert best.captures == (Capture("oom-entry", "size", "12"),)
    assert (best.line.number, best.line.rank) == (2, 2)


def test_names_accepts_the_declared_symptom_only() -> None:
    seen = diagnose("out of memory", INDEX)
    assert not seen.names("oom-entry")
    assert seen.names("oom-entry", "oom")
    assert not seen.names("other-entry", "oom"), "it is no cause of this symptom"
    assert not diagnose("", INDEX).names("oom-entry", "oom")


def test_an_endless_line_is_cut_with_an_overlap() -> None:
    """What stands across the cut is whole in the second part, and nothing is lost."""
    needle = b"CUDA out of memory"
    before = 2 * CHUNK + 1 - len(needle) // 2
    line = b"a" * before + needle + b"b" * CHUNK
    parts = iter([line[: 2 * CHUNK + 1], line[2 * CHUNK + 1 :]])
    first, second = whole_lines(parts)
    assert needle not in first
    assert needle in second
    assert first[-OVERLAP:] == second[:OVERLAP]
    assert first + second[OVERLAP:] == line
