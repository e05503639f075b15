"""A text that sends its reader elsewhere does it by an id, which becomes a link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import MENTION, Targets, YamlSource, unmentioned
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

    from fixbook.book import Key
    from fixbook.gates.reading import Reading

# Shown where there are no links: in lists of results, in headings, in a terminal's findings.
_WITHOUT_LINKS = {"title", "summary", "ask", "label", "captures", "config_rules"}
_WAYS = "{{entry:SLUG}}, {{message:ID}}, {{section:NAME}}, {{fix:ID}}"
# What marks and mentions leave, and is neither code nor a value of the reader's log.
_NO_KIND = re.compile(r"\{\{(?!(?:snippet|yours):)[a-z-]+:[^}\n]{0,80}\}\}")
_PLAIN = {
    "zh": re.compile(
        r"[见看][^。；，：]{0,40}?(?:[那这]一?[条篇页]|[^本]条目)|[那这]一[篇页]|[见看]“(?!\{\{)"
        r"|另有条目|是另一条[，。；]"
    ),
    "en": re.compile(
        r"(?i)\bsee (?:that|the|those) (?:entry|entries|page)\b|\bthe entry (?:on|of that|“)"
        r"|\bthe page on\b|\b(?:entry|page) of its own\b|\banother entry\b|\bthose entries"
        r"|\bsee “(?!\{\{)"
    ),
}


def known_mentions(reading: Reading) -> Iterator[Problem]:
    """Check where texts send their readers, and that they do it by ids."""
    for item in reading.entries:
        yield from _problems(item.entry, item.source, Targets(reading.book, item.slug))
    for name, symptom in reading.book.symptoms.items():
        path = reading.book.root / "symptoms" / f"{name}.yaml"
        yield from _problems(symptom, YamlSource(path, None), Targets(reading.book))


def _problems(model: BaseModel, source: YamlSource, targets: Targets) -> Iterator[Problem]:
    for key, text in texts_of(model):
        for lang in LANGS:
            for what, mend in _objections(key, text.of(lang), targets):
                yield Problem(source.where((*key, lang)), what, mend)
            plain = _PLAIN[lang].search(text.of(lang))
            if plain and not _WITHOUT_LINKS.intersection(key):
                what = _("{shown!r} names another text and is no link").format(shown=plain[0])
                mend = _("write {how}; its title is put there")
                yield Problem(source.where((*key, lang)), what, mend.format(how=_WAYS))


def _objections(key: Key, text: str, targets: Targets) -> Iterator[tuple[str, str]]:
    for strange in _NO_KIND.findall(unmentioned(text)):
        what = _("{shown} leads nowhere").format(shown=strange)
        yield what, _("use one of: {names}").format(names=_WAYS)
    for found in MENTION.finditer(text):
        if _WITHOUT_LINKS.intersection(key):
            what = _("{shown} is shown where there can be no link").format(shown=found[0])
            yield what, _("say it in words, or in another text")
        elif found["id"] not in targets.ids(found["kind"]):
            known = ", ".join(sorted(targets.ids(found["kind"]))) or _("(none)")
            what = _("{shown} leads nowhere").format(shown=found[0])
            yield what, _("use one of: {names}").format(names=known)
