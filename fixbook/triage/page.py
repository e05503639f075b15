"""HTML of the report: one file, no script, nothing from elsewhere, as quiet as the site."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fixbook.text import Lang

# Colours and type of overrides/assets/fixbook.css; tables scroll, the page does not.
_STYLE = """
:root{color-scheme:light dark;--fg:#1b2027;--mute:#5a6370;--line:#d8dce2;--soft:#f5f7f9;
--accent:#0b6e6e;--no:#a3261c;--bg:#fff}
@media(prefers-color-scheme:dark){:root{--fg:#dde2e8;--mute:#a3adba;--line:#343b45;--soft:#1c2128;
--accent:#5cc4bd;--no:#f5938a;--bg:#14181d}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;background:var(--bg);color:var(--fg);
font:15px/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,
"PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2.2rem 0 .4rem;
border-bottom:1px solid var(--line);padding-bottom:.2rem}
p{margin:.4rem 0}.mute{color:var(--mute)}a{color:var(--accent)}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;min-width:100%}
th,td{padding:.3rem .7rem .3rem 0;text-align:start;vertical-align:top;
border-bottom:1px solid var(--line)}
th{color:var(--mute);font-weight:600;white-space:nowrap}
td.n,th.n{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
code,pre{font:.85em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
overflow-wrap:anywhere}
pre{background:var(--soft);padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap;margin:.4rem 0}
dl{display:flex;flex-wrap:wrap;gap:.2rem 2rem;margin:1rem 0}dt{color:var(--mute);font-size:.85rem}
dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
.bar{fill:var(--accent)}.no{color:var(--no);font-weight:600}.whole{white-space:nowrap}
details{min-width:18rem}details>summary{cursor:pointer}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Html(str):
    """Text that is HTML already; everything else is escaped."""

    __slots__ = ()


def html(value: Any) -> Html:
    """Return a value as HTML."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def code(text: str) -> Html:
    """Return a text in the type of code."""
    return Html(f"<code>{escape(text)}</code>")


def whole(text: str) -> Html:
    """Return a text that stays on one line, as a date does."""
    return Html(f'<span class="whole">{escape(text)}</span>')


def block(text: str) -> Html:
    """Return lines in the type of code."""
    return Html(f"<pre>{escape(text)}</pre>")


def note(text: str) -> Html:
    """Return a paragraph in a quiet colour."""
    return Html(f'<p class="mute">{html(text)}</p>')


def bar(share: float) -> Html:
    """Return a bar, as long as a share of one."""
    width = round(120 * max(0.0, min(1.0, share)), 1)
    inside = f'<rect class="bar" width="{width}" height="10" rx="2"/>'
    return Html(f'<svg width="120" height="10" aria-hidden="true">{inside}</svg>')


def figures(pairs: Iterable[tuple[str, str]]) -> Html:
    """Return the few figures that stand above all."""
    items = (f"<div><dt>{html(name)}</dt><dd>{html(value)}</dd></div>" for name, value in pairs)
    return Html(f"<dl>{''.join(items)}</dl>")


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Sequence[int]) -> Html:
    """Return a table.

    Args:
        heads: The heads of its columns.
        rows: Its cells.
        numbers: Which columns are numbers.
    """
    kind = ['class="n"' if place in numbers else "" for place in range(len(heads))]
    head = "".join(f"<th {kind[at]}>{html(text)}</th>" for at, text in enumerate(heads))
    body = "".join(
        "<tr>"
        + "".join(f"<td {kind[at]}>{html(cell)}</td>" for at, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return Html(
        f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def section(title: str, *parts: Html) -> Html:
    """Return a part of the page; nothing if nothing is in it."""
    inside = "".join(parts)
    return Html(f"<section><h2>{html(title)}</h2>{inside}</section>") if inside else Html("")


def page(title: str, lead: str, parts: Iterable[Html], lang: Lang) -> str:
    """Return the whole page."""
    language = {"zh": "zh-CN", "en": "en"}[lang]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html(title)}</title><style>{_STYLE}</style></head><body><main>"
        f'<h1>{html(title)}</h1><p class="mute">{html(lead)}</p>{"".join(parts)}'
        "</main></body></html>\n"
    )
