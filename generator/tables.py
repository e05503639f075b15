"""Tables and bars from recorded measures, whatever their names."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.figures import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fixbook.entry import Lang
    from generator.strings import Words

_MANY_COLUMNS = 6
_MANY_BARS = 10
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
        text = show(value, "", lang)
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


def compared(
    columns: Mapping[str, Mapping[str, Any]], words: Words, only: Iterable[str] = ()
) -> str:
    """Return the measures of several steps side by side; empty if there is nothing to compare.

    Args:
        columns: Measures by the label of their step.
        words: Strings of the language.
        only: Measures to show; all if empty.
    """
    lang, wanted = words.lang, set(only)
    columns = {label: scalars(measures) for label, measures in columns.items()}
    names = list(
        dict.fromkeys(
            name
            for measures in columns.values()
            for name in measures
            if not wanted or name in wanted
        )
    )
    if not names:
        return ""
    if len(names) <= _MANY_COLUMNS:
        heads = [words("step"), *(f"`{name}`" for name in names)]
        body = [
            [label, *(cell(measures.get(name), lang) for name in names)]
            for label, measures in columns.items()
            if any(name in measures for name in names)
        ]
        return grid(heads, body, right=[False, *(_numeric(columns, name) for name in names)])
    heads = [words("measure"), *columns]
    body = [[f"`{n}`", *(cell(m.get(n), lang) for m in columns.values())] for n in names]
    return grid(heads, body, right=[False, *(True for _ in columns)])


def _numeric(columns: Mapping[str, Mapping[str, Any]], name: str) -> bool:
    return all(_is_number(m[name]) for m in columns.values() if name in m)


@dataclass(frozen=True, slots=True)
class Bars:
    """One measure of several steps as horizontal bars.

    Attributes:
        name: The measure.
        values: Label and value per bar.
    """

    name: str
    values: tuple[tuple[str, float], ...]

    def html(self, lang: Lang) -> str:
        """Return the figure; it repeats a table and is therefore hidden from screen readers."""
        top = max(value for _, value in self.values)
        rows = "".join(
            f'<div class="fb-bar"><span class="fb-bar__label">{html.escape(label)}</span>'
            f'<span class="fb-bar__track"><span class="fb-bar__fill" '
            f'style="width:{100 * value / top:.1f}%"></span></span>'
            f'<span class="fb-bar__value">{cell(value, lang)}</span></div>'
            for label, value in self.values
        )
        caption = f'<p class="fb-bars__title"><code>{html.escape(self.name)}</code></p>'
        return f'<div class="fb-bars" aria-hidden="true">{caption}{rows}</div>'


def worth_drawing(columns: Mapping[str, Mapping[str, Any]], limit: int = 2) -> list[Bars]:
    """Choose the measures that a picture says faster: shared by steps, positive, and different."""
    candidates = []
    for name in dict.fromkeys(name for measures in columns.values() for name in measures):
        values = [(label, m[name]) for label, m in columns.items() if _is_number(m.get(name))]
        if 1 < len(values) <= _MANY_BARS and _differ([value for _, value in values]):
            candidates.append(Bars(name, tuple((label, float(value)) for label, value in values)))
    candidates.sort(key=lambda bars: -len(bars.values))
    return candidates[:limit]


def _differ(numbers: list[float]) -> bool:
    """Tell whether numbers differ by more than rounding does, and can be lengths."""
    return min(numbers) >= 0 and max(numbers) > max(_ROUNDING, 1.2 * min(numbers))
