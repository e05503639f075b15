"""Numbers in texts: ``{{step.measure|format}}``, filled in from recorded evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.problem import BookError, Problem
from fixbook.recipe.evidence import load_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fixbook.book import BookEntry
    from fixbook.recipe.evidence import Evidence

_PLACEHOLDER = re.compile(
    r"\{\{\s*(?P<step>[a-z0-9-]+)\.(?P<measure>[\w.]+)(?:\|(?P<format>[^}]+?))?\s*\}\}"
)
_MIB = 1024**2
_FORMATS: dict[str, Callable[[float], str]] = {
    "percent": lambda value: f"{value * 100:.1f}%".replace(".0%", "%"),
    "mib": lambda value: f"{value / _MIB:,.1f} MiB",
    "gib": lambda value: f"{value / _MIB / 1024:.1f} GiB",
    "seconds": lambda value: f"{value:.2g} s" if value < 10 else f"{value:.0f} s",  # noqa: PLR2004
    "times": lambda value: f"{value:.1f}×".replace(".0×", "×"),
}


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One ``{{step.measure|format}}`` of a text."""

    step: str
    measure: str
    format: str | None
    text: str


def placeholders(text: str) -> list[Placeholder]:
    """Return the placeholders of a text in their order."""
    return [_placeholder(match) for match in _PLACEHOLDER.finditer(text)]


def _placeholder(match: re.Match[str]) -> Placeholder:
    return Placeholder(match["step"], match["measure"], match["format"], match[0])


@dataclass(frozen=True, slots=True)
class Measures:
    """The recorded measures of one entry, from all its machines.

    Attributes:
        slug: The entry.
        evidence: Its evidence by machine, ``cpu`` first.
    """

    slug: str
    evidence: Mapping[str, Evidence]

    @classmethod
    def of(cls, item: BookEntry) -> Measures:
        """Load an entry's evidence."""
        return cls(item.slug, load_evidence(item))

    def recorded(self, step: str) -> dict[str, Any] | None:
        """Return what a step measured where it ran first, or None if it has not run."""
        for record in self.evidence.values():
            seen = record.steps.get(step)
            if seen is not None and seen.verdict == "passed":
                return seen.measures
        return None

    def fill(self, text: str) -> str:
        """Replace the placeholders of a text by recorded values.

        Raises:
            BookError: A step has not run, did not measure this, or the format does not fit.
        """
        return _PLACEHOLDER.sub(lambda match: self.show(_placeholder(match)), text)

    def show(self, placeholder: Placeholder) -> str:
        """Return one recorded value as it stands in a text.

        Raises:
            BookError: See `fill`.
        """
        measured = self.recorded(placeholder.step)
        record = f"run 'fixbook verify --record {self.slug}', or correct the name"
        if measured is None:
            raise self._error(placeholder, f"step {placeholder.step!r} has no evidence", record)
        if placeholder.measure not in measured:
            what = f"step {placeholder.step!r} did not measure {placeholder.measure!r}"
            raise self._error(placeholder, what, f"it measured: {', '.join(measured) or 'nothing'}")
        value = measured[placeholder.measure]
        try:
            return format_value(value, placeholder.format)
        except (TypeError, ValueError):
            what = f"{value!r} cannot be written as {placeholder.format!r}"
            mend = f"use one of {', '.join(_FORMATS)}, or a Python format such as .2f"
            raise self._error(placeholder, what, mend) from None

    def _error(self, placeholder: Placeholder, what: str, mend: str) -> BookError:
        return BookError([Problem(self.slug, f"{placeholder.text}: {what}", mend)])


def format_value(value: Any, spec: str | None = None) -> str:
    """Write a measure for a reader.

    Args:
        value: A number, text, boolean, or list of them.
        spec: ``percent``, ``mib`` and ``gib`` (from bytes), ``seconds``, ``times``, or a Python
            format specification.

    Raises:
        TypeError: The format does not fit the type.
        ValueError: The format does not exist.
    """
    if spec in _FORMATS:
        return _FORMATS[spec](value)
    if spec:
        return format(value, spec)
    if isinstance(value, list):
        return "[" + ", ".join(format_value(item) for item in value) + "]"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
