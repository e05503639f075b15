"""Texts are Markdown: no HTML, no attribute lists, no links that lead to no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import YamlSource
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

    from fixbook.gates.reading import Reading

_CODE = re.compile(
    r"(?ms)^ *(?P<mark>```+|~~~+)[^\n]*\n.*?^ *(?P=mark) *$|(?P<ticks>`+)[^`]+?(?P=ticks)"
)
_HTML = re.compile(r"<(?:/?[A-Za-z][^<>]*>|!--|[!?][A-Za-z]|https?:)|&(?:#\w+|[A-Za-z]+);")
_LIST = re.compile(r"(?<!\{)\{:[^{}\n]*\}|(?<=[)*_`])\{ ?[.#\w][^{}\n]*\}")
_LINK = re.compile(
    r"\]\(\s*<?(?P<inline>[^)\s]*)|^ {0,3}\[[^\]\n]+\]:\s*(?P<named>\S+)", re.MULTILINE
)
_FOLLOWED = re.compile(r"(?:https?://|mailto:|#|\.{0,2}/|[\w.-]+(?:[/#?]|$))", re.IGNORECASE)


def markdown_only(reading: Reading) -> Iterator[Problem]:
    """Check that no text holds HTML, an entity or an attribute list, and where its links lead."""
    for item in reading.entries:
        yield from _problems(item.entry, item.source)
    for name, symptom in reading.book.symptoms.items():
        path = reading.book.root / "symptoms" / f"{name}.yaml"
        yield from _problems(symptom, YamlSource(path, None))
    for rule in reading.book.rules.values():
        if rule.entry is None:
            yield from _problems(rule.rule, rule.source)


def _problems(model: BaseModel, source: YamlSource) -> Iterator[Problem]:
    for key, text in texts_of(model):
        for lang in LANGS:
            for what, mend in _objections(text.of(lang)):
                yield Problem(source.where((*key, lang)), what, mend)


def _objections(text: str) -> Iterator[tuple[str, str]]:
    prose = _CODE.sub("`", text)
    for pattern in (_HTML, _LIST):
        for found in pattern.finditer(prose):
            what = _("{found!r} is no Markdown; the page shows it as it is written")
            mend = _("put it in backticks if readers should see it, or write Markdown")
            yield what.format(found=found[0]), mend
    for link in _LINK.finditer(prose):
        address = link["inline"] or link["named"] or ""
        if not _FOLLOWED.match(address):
            what = _("the link to {address!r} leads to no page").format(address=address)
            yield what, _("link to https://, a page beside this one or #part")
