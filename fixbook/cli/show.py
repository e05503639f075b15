"""``fixbook show SLUG``: the article in the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markdown import Markdown

from fixbook.book import load_book
from fixbook.cli.options import json_option, lang_option
from fixbook.entry import Fix
from fixbook.measures import fill_entry
from fixbook.placing import fenced, with_snippets
from fixbook.recipe.evidence import load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.entry import Entry, NonFix, Text
    from fixbook.languages import Lang

_WIDTH = 100
_WORDS = {
    "en": {
        "now": "Fix now",
        "seen": "What you see",
        "yours": "Is it yours?",
        "not": "It is not this if",
        "why": "Why",
        "proven": "The cause is proven by a recipe here",
        "upstream": "The cause is stated by the maintainers",
        "inferred": "The cause is inferred, not proven",
        "unknown": "The cause is not established",
        "fixes": "Fixes",
        "cost": "Trade-off",
        "non_fixes": "What does not help",
        "twin": "The silent twin",
        "versions": "Affected versions",
        "run": "Run it yourself",
        "references": "References",
    },
    "zh": {
        "now": "先这样修",
        "seen": "你看到的现象",
        "yours": "是不是你遇到的问题？",
        "not": "以下情况不是它",
        "why": "原因",
        "proven": "原因已由本条目的脚本证实",
        "upstream": "原因由上游维护者说明",
        "inferred": "原因是推断的，未经证实",
        "unknown": "原因尚未查明",
        "fixes": "修复办法",
        "cost": "代价",
        "non_fixes": "没用的做法",
        "twin": "不报错时会怎样",
        "versions": "受影响的版本",
        "run": "自己跑一遍",
        "references": "参考",
    },
}


@click.command("show")
@click.argument("slug")
@lang_option
@json_option
def command(slug: str, lang: Lang, as_json: bool) -> None:
    """Show entry SLUG: what you see, what to do, why, and what does not help."""
    item = load_book(strict=False).get(slug)
    if as_json:
        data = {"slug": slug, **item.entry.model_dump(mode="json", by_alias=True)}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    console = Console()
    console.print(Markdown(article(item, lang)), width=min(_WIDTH, console.width))


def article(item: BookEntry, lang: Lang) -> str:
    """Return the entry as Markdown for a terminal, its measures filled in.

    Args:
        item: The entry.
        lang: The language.

    Raises:
        BookError: A text names a measure that has no evidence.
    """
    filled = fill_entry(item.slug, item.entry, load_evidence(item))
    return "\n\n".join(filter(None, _parts(item.slug, filled, lang)))


def _parts(slug: str, entry: Entry, lang: Lang) -> Iterator[str]:
    words = _WORDS[lang]

    def text(both: Text) -> str:
        return with_snippets(both.of(lang), entry.snippets)

    def advice(one: Fix | NonFix) -> str:
        code = entry.snippets[one.snippet] if isinstance(one, Fix) and one.snippet else None
        parts = [f"### {one.title.of(lang)}", text(one.text), fenced(code) if code else ""]
        if isinstance(one, Fix) and one.trade_off:
            parts.append(f"*{words['cost']}:* {text(one.trade_off)}")
        return "\n\n".join(filter(None, parts))

    detect = entry.snippets.get(entry.detect.snippet or "")
    claims = (f"- *{words[claim.level]}.* {text(claim.text)}" for claim in entry.claims)
    bounds = (
        f"- {row.package} {row.range}" + (f" → {row.fixed_in}" if row.fixed_in else "")
        for row in entry.affected
    )
    yield f"# {entry.title.of(lang)}\n\n*{entry.summary.of(lang)}*"
    yield _section(words["now"], advice(entry.fixes[0]))
    yield _section(words["seen"], text(entry.symptom))
    yield _section(words["yours"], text(entry.detect.text), fenced(detect) if detect else "")
    yield f"**{words['not']}**\n\n" + "\n".join(f"- {text(one)}" for one in entry.not_this_if)
    yield _section(words["why"], text(entry.cause), "\n".join(claims))
    yield _section(words["fixes"], *map(advice, entry.fixes[1:]))
    yield _section(words["non_fixes"], *map(advice, entry.non_fixes))
    yield _section(words["twin"], text(entry.silent_twin.text) if entry.silent_twin else "")
    yield _section(words["versions"], "\n".join(bounds))
    yield _section(words["run"], f"```bash\nfixbook run {slug}\n```")
    yield _section(
        words["references"], "\n".join(f"- {r.title} <{r.url}>" for r in entry.references)
    )


def _section(title: str, *parts: str) -> str:
    """Return a section, or nothing if it is empty."""
    body = "\n\n".join(filter(None, parts))
    return f"## {title}\n\n{body}" if body else ""
