"""Write recorded values for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.text.i18n import _

if TYPE_CHECKING:
    from fixbook.text.languages import Lang

_NBSP = "\N{NO-BREAK SPACE}"
_MIB, _GIB = 1024**2, 1024**3
_WORDS = {"zh": {True: "是", False: "否"}, "en": {True: "yes", False: "no"}}


def show_figure(value: Any, spec: str, lang: Lang) -> str:
    """Write a measure down.

    Args:
        value: A bool, a number, a string, or a list of those.
        spec: ``percent``, ``mib`` or ``gib`` (both from bytes), ``seconds``, ``times``, a Python
            format specification, or empty.
        lang: Language of the words.

    Raises:
        TypeError: The value is a table, or the format is for numbers and the value is none.
        ValueError: The format is unknown.
    """
    if isinstance(value, list):
        return ", ".join(show_figure(item, spec, lang) for item in value)
    if isinstance(value, dict):
        raise TypeError(_("is a table; tables are shown under the step itself"))
    if isinstance(value, bool):
        return _WORDS[lang][value]
    if not spec:
        return format(value, ".6g") if isinstance(value, float) else str(value)
    return _formatted(value, spec)


def _formatted(value: Any, spec: str) -> str:
    match spec:
        case "percent":
            return f"{_short(value * 100)}%"
        case "mib":
            return f"{_short(value / _MIB)}{_NBSP}MiB"
        case "gib":
            return f"{_short(value / _GIB)}{_NBSP}GiB"
        case "seconds":
            return f"{_short(value)}{_NBSP}s"
        case "times":
            return f"{_short(value)}×"
        case _:
            try:
                return format(value, spec)
            except ValueError:
                what = _("{spec!r} is no format for {value!r}").format(spec=spec, value=value)
                raise ValueError(what) from None


def _short(value: float) -> str:
    """Three significant digits, never in scientific notation."""
    if value == 0 or abs(value) >= 100:  # noqa: PLR2004
        return f"{value:,.0f}"
    digits = 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3  # noqa: PLR2004
    text = f"{value:.{digits}f}" if abs(value) >= 0.01 else f"{value:.2g}"  # noqa: PLR2004
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
