"""Cases as plain data: what both implementations evaluate, with nothing left to parse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

from fixbook.log.libraries import libraries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.book import Case, Value

# What tools print themselves as, where it is not the name that is imported.
_PRINTED = {"llamafactory": ("LLaMA-Factory", "LlamaFactory"), "openrlhf": ("OpenRLHF",)}


def case_rows(cases: Iterable[Case]) -> list[dict[str, Any]]:
    """Return cases as rows: what each says, and its conditions."""
    return [{"says": case.says.model_dump(), "all": list(_conditions(case))} for case in cases]


def patterns_of_cases(cases: Iterable[Case]) -> Iterator[str]:
    """Yield the patterns that a scan has to look for."""
    for case in cases:
        yield from (row[1] for row in _conditions(case) if row[0] in {"log", "unless"})


def _conditions(case: Case) -> Iterator[list[Any]]:
    yield from (["capture", name, _tests(value)] for name, value in case.captures.items())
    yield from (["log", pattern] for pattern in case.log)
    yield from ([["log", _tool(case.tool)]] if case.tool else [])
    yield from (["unless", pattern] for pattern in case.unless)
    yield from ([["frames", list(case.frames)]] if case.frames else [])
    yield from ([["unless-frames", list(case.unless_frames)]] if case.unless_frames else [])
    yield from ([["library", list(case.library)]] if case.library else [])
    for package, clauses in case.versions.items():
        yield ["version", package, list(_bounds(clauses))]
    if case.ranks:
        yield ["ranks", _tests(case.ranks)]


def _tests(value: Value) -> list[list[Any]]:
    of = [value.of] if value.of else []
    named: list[list[Any]] = [
        ["in", [value.is_] if value.is_ else []],
        ["in", list(value.in_)],
        ["matches", value.matches],
        ["over", value.over, *of],
        ["under", value.under, *of],
    ]
    return [test for test in named if test[1] not in (None, [])]


def _tool(name: str) -> str:
    """Return the pattern of a tool's name, as programs, paths and people write it."""
    known = libraries().get(name.replace("-", "_"))
    names = {name, name.replace("-", "_"), *_PRINTED.get(name, ()), *(known.names if known else ())}
    return rf"\b(?:{'|'.join(re.escape(one) for one in sorted(names))})\b"


def _bounds(clauses: str) -> Iterator[list[Any]]:
    """Return a range as comparisons of releases; ``~=`` and ``.*`` are two each."""
    for clause in SpecifierSet(clauses):
        numbers = [int(part) for part in re.findall(r"\d+", clause.version)]
        if clause.operator == "~=":
            yield [">=", numbers]
            yield ["<", [*numbers[:-2], numbers[-2] + 1]]
        elif clause.version.endswith(".*"):
            yield [">=", numbers]
            yield ["<", [*numbers[:-1], numbers[-1] + 1]]
        else:
            yield [clause.operator, numbers]
