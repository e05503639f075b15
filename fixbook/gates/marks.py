"""What is less than proven is said by a mark, at the end of its sentence, and not in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import MARK, MARKS, YamlSource
from fixbook.gates.sentences import prose
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

    from fixbook.book import Key
    from fixbook.gates.reading import Reading
    from fixbook.text import Lang

# Shown where there is no room for a sign, or where nothing is claimed.
_WITHOUT_MARKS = {"title", "summary", "ask", "label", "captures", "says", "simulated", "slow"}
# These say themselves why something was not run.
_REASONS = {"not_executed", "simulated", "slow", "differs"}
_ANY = re.compile(r"\{\{mark:[^{}]*\}\}")
_END = re.compile(r"[。．.!?！？；;：:，,、)）\]”\"'’*|]|\s*(?:\n|$)")
_WORDS: dict[Lang, re.Pattern[str]] = {
    "zh": re.compile(
        r"(?:没有?|未|尚未|并未)(?:再|在这里|逐一|单独)?(?:实测|跑过|执行过|试过|测过)"
        r"|(?:只|仅)读[过了]?(?:它的|其|过)?源码|读的是源码|没有运行(?=[）；，。])|未运行(?=[）；，。])"
    ),
    "en": re.compile(
        r"(?i)\b(?:was|were|is|are|been|nor|it|and|,|\()\s?not (?:been )?(?:executed|tried)\b"
        r"|\bnot executed\b|\buntested\b|\b(?:was|were) not (?:run|measured)(?: here)?(?=[).,;:])"
        r"|\((?:not run|read in (?:the|its|their) (?:source|code)s?)\)"
        r"|\bonly read in\b|\bno other was run\b|\bwas (?:only )?read in (?:the|its|their) source"
    ),
}


def marks_instead_of_words(reading: Reading) -> Iterator[Problem]:
    """Check that marks stand at the ends of sentences, and that no text says the same in words."""
    for item in reading.entries:
        yield from _problems(item.entry, item.source)
    for name, symptom in reading.book.symptoms.items():
        source = YamlSource(reading.book.root / "symptoms" / f"{name}.yaml", None)
        yield from _problems(symptom, source)


def bare_phrases(text: str, lang: Lang) -> list[str]:
    """Return the words of a text that say that something was not run, where a mark could."""
    return [found[0] for found in _WORDS[lang].finditer(prose(text))]


def _problems(model: BaseModel, source: YamlSource) -> Iterator[Problem]:
    for key, text in texts_of(model):
        zh, en = (sorted(_ANY.findall(text.of(lang))) for lang in LANGS)
        if zh != en:
            what = _("{zh} in Chinese, {en} in English").format(zh=zh, en=en)
            yield Problem(source.where(key), what, _("mark the same statements in both languages"))
        for lang in LANGS:
            for what, mend in _misplaced(key, text.of(lang)):
                yield Problem(source.where((*key, lang)), what, mend)
            said = bare_phrases(text.of(lang), lang)
            if said and not _REASONS.intersection(key):
                what = _("{shown!r} says in words what a mark says").format(shown=said[0])
                mend = _("drop the words, and end the sentence with one of: {names}")
                yield Problem(source.where((*key, lang)), what, mend.format(names=_ways()))


def _misplaced(key: Key, text: str) -> Iterator[tuple[str, str]]:
    for found in _ANY.finditer(text):
        if not MARK.fullmatch(found[0]):
            what = _("{shown} is no mark").format(shown=found[0])
            yield what, _("use one of: {names}").format(names=_ways())
        elif _WITHOUT_MARKS.intersection(key):
            what = _("{shown} is shown where there is no room for a sign").format(shown=found[0])
            yield what, _("say it in another text")
        elif not _END.match(text, found.end()):
            what = _("{shown} stands inside a sentence").format(shown=found[0])
            yield what, _("put it at its end, before the full stop")


def _ways() -> str:
    return ", ".join(f"{{{{mark:{name}}}}}" for name in MARKS)
