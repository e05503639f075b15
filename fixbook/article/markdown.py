"""A page as Markdown, for a terminal or a program that reads text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.log.told import told
from fixbook.text import N_, SECTIONS, translator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.article.data import Advice, Article, Bound, Code, Message, Release, Statement
    from fixbook.text import Lang

LEVELS = {
    "proven": N_("Proven by running it"),
    "upstream": N_("Stated upstream"),
    "inferred": N_("Inferred"),
    "unknown": N_("Not established"),
}
_SIDES = (
    ("last_good", N_("last good")),
    ("first_bad", N_("first bad")),
    ("first_fixed", N_("first fixed")),
)


def as_markdown(page: Article | Message, lang: Lang) -> str:
    """Return a page as Markdown, its links as the words that lead there in a terminal.

    Args:
        page: The page.
        lang: Its language.
    """
    parts = _article(page, lang) if page["kind"] == "entry" else _message(page, lang)
    return told("\n\n".join(filter(None, parts)), lang)


def _message(page: Message, lang: Lang) -> Iterator[str]:
    _ = translator(lang)
    causes = (f"- **{one['title']}** (`{one['slug']}`)\n\n  {one['ask']}" for one in page["causes"])
    yield f"# {page['title']}\n\n*{page['summary']}*"
    yield page["text"]
    yield _section(_("Which one is it?"), "\n".join(causes))


def _article(page: Article, lang: Lang) -> Iterator[str]:
    _ = translator(lang)

    def head(section: str) -> str:
        return _(SECTIONS[section])

    first, *others = page["fixes"]
    yield f"# {page['title']}\n\n*{page['summary']}*"
    yield _ran(page["ran_on"], lang)
    yield _section(_("Fix now"), advice_text(first, lang))
    yield _cases(page["fixes"], lang)
    names = (f"- `{old}` → " + (f"`{new}`" if new else "—") for old, new in page["names"].items())
    yield _section(head("names"), "\n".join(names))
    yield _section(head("symptom"), page["symptom"])
    yield _section(head("detect"), page["check"]["text"], block(page["check"]["code"]))
    yield (
        "**"
        + _("It is not this if")
        + "**\n\n"
        + "\n".join(f"- {one}" for one in page["not_this_if"])
    )
    said = (f"- {_statement(one, lang)}" for one in page["statements"])
    yield _section(head("why"), page["cause"], "\n".join(said))
    yield _section(head("fixes"), *(advice_text(one, lang) for one in others))
    for title, executed in (
        (head("non-fixes"), True),
        (_("Advice that has not been run yet"), False),
    ):
        refuted = (one for one in page["non_fixes"] if one["executed"] is executed)
        yield _section(title, *(advice_text(one, lang) for one in refuted))
    yield _section(head("silent-twin"), page["silent_twin"] or "")
    yield _section(_("Versions"), "\n".join(_bound(one, lang) for one in page["boundary"]))
    yield _section(_("Run it yourself"), f"```bash\nfixbook run {page['slug']}\n```")
    links = (f"- {one['title']} <{one['url']}>" for one in page["references"])
    yield _section(_("References"), "\n".join(links))


def advice_text(one: Advice, lang: Lang) -> str:
    """Return a fix, or advice that does not help: title, code first, why, changes, price."""
    _ = translator(lang)
    changes = (
        f"{change['tool']} {change['version']}\n\n```diff\n{change['text']}\n```"
        for change in one["changes"]
    )
    price = one["trade_off"] and _("Trade-off: {text}").format(text=one["trade_off"])
    parts = (f"### {one['title']}", block(one["code"]), one["text"], *changes, price or "")
    return "\n\n".join(filter(None, parts))


def block(code: Code | None) -> str:
    """Return code as a fenced block; nothing without code."""
    if code is None:
        return ""
    ticks = "```"
    while ticks in code["text"]:
        ticks += "`"
    return f"{ticks}{code['language']}\n{code['text']}\n{ticks}"


def _statement(one: Statement, lang: Lang) -> str:
    """Return a statement behind the word for how certain it is."""
    _ = translator(lang)
    level = LEVELS[one["level"]]
    return _("{level}: {statement}").format(level=_(level), statement=one["text"])


def _ran(releases: list[Release], lang: Lang) -> str:
    """Say what the steps of an entry ran on; nothing if none ran."""
    _ = translator(lang)
    named = [
        f"{one['package']} {one['newest']}"
        + (_(" and {count} earlier").format(count=one["earlier"]) if one["earlier"] else "")
        for one in releases
    ]
    return _("Its steps ran on: {releases}").format(releases=_(", ").join(named)) if named else ""


def _bound(row: Bound, lang: Lang) -> str:
    _ = translator(lang)
    said = _(", ").join(
        f"{_(name)} {release}"
        for key, name in _SIDES
        if (release := row[key])  # type: ignore[literal-required]
    )
    told = _("{releases}. {note}") if said and row["note"] else "{releases}{note}"
    unsure = f" [{_(row['sure'])}]" if row["sure"] != "executed" else ""
    text = told.format(releases=said, note=row["note"] or "") + unsure
    return "- " + _("{package}: {releases}").format(package=row["package"], releases=text)


def _cases(fixes: list[Advice], lang: Lang) -> str:
    """Return which fix is the one for which message, as a table; empty if the log does not tell."""
    _ = translator(lang)
    rows = [f"| {case} | {fix['title']} |" for fix in fixes for case in fix["cases"]]
    head = "| " + _("Your message shows") + " | " + _("Do this") + " |"
    return "\n".join([head, "| --- | --- |", *rows]) if rows else ""


def _section(title: str, *parts: str) -> str:
    """Return a section, or nothing if it is empty."""
    body = "\n\n".join(filter(None, parts))
    return f"## {title}\n\n{body}" if body else ""
