"""Tables and bars from recorded measures, whatever their names."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.text import show_figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fixbook.text import Lang

_ROUNDING = 1e-3
_LONG_CELL = 120


def is_table(value: Any) -> bool:
    """Tell whether a measure is a list of flat rows."""
    return bool(value) and isinstance(value, list) and all(isinstance(row, dict) for row in value)


def scalars(measures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures that are no tables."""
    return {name: value for name, value in measures.items() if not is_table(value)}


def tables(measures: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the measures that are tables."""
    return {name: value for name, value in measures.items() if is_table(value)}


def cell(value: Any, lang: Lang) -> str:
    """Write one value for a table cell."""
    if value is None:
        return "—"
    if isinstance(value, bool) or (isinstance(value, list) and value):
        text = show_figure(value, "", lang)
    elif isinstance(value, int):
        text = f"{value:,}"
    elif isinstance(value, float):
        text = f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"  # noqa: PLR2004
    else:
        text = str(value) or "—"
    if len(text) > _LONG_CELL:
        text = text[: _LONG_CELL - 1] + "…"
    return _escaped(text)


def _escaped(text: str) -> str:
    text = html.escape(" ".join(text.split()), quote=False)
    for sign in "\\`*_[]|":
        text = text.replace(sign, "\\" + sign)
    return text


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def rows_table(rows: Sequence[Mapping[str, Any]], lang: Lang) -> str:
    """Return a measure that is a list of rows as a Markdown table; column names as they are."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    numeric = [all(_is_number(row[c]) for row in rows if row.get(c) is not None) for c in columns]
    heads = [f"`{name}`" for name in columns]
    body = [[cell(row.get(name), lang) for name in columns] for row in rows]
    return grid(heads, body, right=numeric)


def grid(heads: Sequence[str], body: Iterable[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """Return a Markdown table.

    Args:
        heads: Header cells.
        body: Rows of cells.
        right: Which columns hold numbers and are aligned to the right.
    """
    marks = ["---" if not (n < len(right) and right[n]) else "--:" for n in range(len(heads))]
    lines = [heads, marks, *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@dataclass(frozen=True, slots=True)
class Bars:
    """One measure of several steps as horizontal bars.

    Attributes:
        label: What is measured, with its unit.
        values: Label, value, and the value as it is written, per bar.
    """

    label: str
    values: tuple[tuple[str, float, str], ...]

    @property
    def html(self) -> str:
        """The figure; the lengths only repeat the values beside them."""
        top = max((value for _, value, _ in self.values), default=0) or 1
        rows = "".join(
            f'<div class="fb-bar"><span class="fb-bar__label">{html.escape(label)}</span>'
            f'<svg class="fb-bar__track" aria-hidden="true"><rect class="fb-bar__fill" '
            f'width="{100 * value / top:.1f}%" height="100%"></rect></svg>'
            f'<span class="fb-bar__value">{html.escape(written)}</span></div>'
            for label, value, written in self.values
        )
        caption = f'<p class="fb-bars__title">{html.escape(self.label)}</p>'
        return f'<div class="fb-bars">{caption}{rows}</div>'
