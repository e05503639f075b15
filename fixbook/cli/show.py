"""``fixbook show SLUG``: the article in the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markdown import Markdown

from fixbook.book import load_book
from fixbook.cli.options import json_option, lang_option
from fixbook.measures import fill_entry
from fixbook.recipe.evidence import load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.entry import Entry
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
    return "\n\n".join(_parts(item.slug, filled, lang))


def _parts(slug: str, entry: Entry, lang: Lang) -> Iterator[str]:
    words = _WORDS[lang]
    yield f"# {entry.title.of(lang)}"
    yield f"*{entry.summary.of(lang)}*"
    yield f"## {words['now']}\n\n{entry.fix_now.of(lang)}"
    yield f"## {words['seen']}\n\n{entry.symptom.of(lang)}"
    yield f"## {words['yours']}\n\n{entry.detect.text.of(lang)}"
    yield _code(entry.detect.code, entry.detect.language)
    yield f"**{words['not']}**\n\n" + "\n".join(f"- {text.of(lang)}" for text in entry.not_this_if)
    yield f"## {words['why']}\n\n{entry.cause.of(lang)}"
    yield f"*{words[entry.certainty.level]}.* {entry.certainty.of.of(lang)}"
    yield f"## {words['fixes']}"
    for fix in entry.fixes:
        yield f"### {fix.title.of(lang)}\n\n{fix.text.of(lang)}"
        if fix.code:
            yield _code(fix.code, fix.language)
        yield f"*{words['cost']}:* {fix.trade_off.of(lang)}"
    if entry.non_fixes:
        yield f"## {words['non_fixes']}"
    for advice in entry.non_fixes:
        yield f"### {advice.title.of(lang)}\n\n{advice.text.of(lang)}"
    yield f"## {words['twin']}\n\n{entry.silent_twin.text.of(lang)}"
    if entry.affected:
        rows = (
            f"- {a.package} {a.range}" + (f" → {a.fixed_in}" if a.fixed_in else "")
            for a in entry.affected
        )
        yield f"## {words['versions']}\n\n" + "\n".join(rows)
    yield f"## {words['run']}\n\n" + _code(f"fixbook run {slug}", "sh")
    links = "\n".join(f"- {ref.title} <{ref.url}>" for ref in entry.references)
    yield f"## {words['references']}\n\n{links}"


def _code(code: str, language: str) -> str:
    return f"```{language}\n{code.rstrip()}\n```"
