"""A page for each rule on configurations, and the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.pages.page import Page
from generator.text.markup import plain
from generator.text.strings import Words
from generator.text.templating import render
from generator.view.rules import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.text import Lang
    from generator.view.rules import RuleView


def rule_page(view: RuleView, lang: Lang) -> Page:
    """Render the page of a rule.

    Args:
        view: What it shows.
        lang: Language of the page.
    """
    words, rule = Words(lang), view.item.rule
    text = render("rule.md.j2", t=words, lang=lang, view=view, rule=rule, proof=view.proof(words))
    return Page(f"rules/{rule.id}/index.md", plain(view.finding.text(lang)), text)


def rule_index(views: Iterable[RuleView], lang: Lang) -> Page:
    """Render the list of all rules, by tool; one that is about several tools stands under each."""
    by_tool: dict[str, list[RuleView]] = {}
    for view in views:
        for name in sorted({label_of(tool).split(" ")[0] for tool in view.item.rule.tools}):
            by_tool.setdefault(name, []).append(view)
    words = Words(lang)
    listed = sorted(by_tool.items(), key=lambda pair: pair[0].lower())
    text = render("rules.md.j2", t=words, lang=lang, listed=listed)
    return Page("rules/index.md", words("nav_rules"), text)


def anchor(tool: str) -> str:
    """Return where the list of rules has those of a tool."""
    return label_of(tool).split(" ")[0].lower()
