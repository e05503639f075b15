"""What a claim says of a release agrees with how its steps ended on that release."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.sentences import paragraphs, sentences
from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.text import Lang

_RELEASE = re.compile(r"(?<![\w.-])v?(\d+\.\d+(?:\.\d+)*(?:\.?(?:rc|post|dev)\d+)?)(?![\w-]|\.\d)")
_WORD = re.compile(r"[A-Za-z]\w*|[\u4e00-\u9fff]")
_ENUMERATED = 4  # words beside the releases from which on a clause says something of its own
_CLAUSES: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(r",|\b(?:and|but|while|where|whose|that of)\b"),
    "zh": re.compile(r"[，、]|而|但|却|又"),
}
_FAILS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:raises?|fails?|failed|refuses?|crashes|breaks|hangs|asserts|cannot|is an error)\b"
    ),
    "zh": re.compile(r"报错|失败|拒绝|崩溃|卡住|断言触发|报 `|不能|不了"),
}
_RUNS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:do|does|did)(?: not|n['’]t)(?: (?:raise|fail|refuse|crash|break|hang)\b|\s*$)"
        r"|\b(?:raises?|refuses?) nothing\b|\bno longer\b|\b(?:trains|works|loads|imports|passes)\b"
        r"|\bruns (?:through|clean)\b|\bwithout (?:an )?error\b|\bnever (?:raises?|fails?)\b"
    ),
    "zh": re.compile(
        r"(?:不再|不会|不|没有|没)(?:报错|失败|拒绝|崩溃|卡住|报)|不报|放行|能训练|能加载|能导入|能跑|能用"
        r"|就行|消除报错"
    ),
}


def verdicts_on_releases(reading: Reading) -> Iterator[Problem]:
    """Check clauses of proven claims that say of releases whether they fail.

    Only a clause that says one thing, of a release on which all steps of the claim ended alike,
    can be held against them.
    """
    for item in reading.entries:
        for index, claim in enumerate(item.entry.claims):
            if claim.level != "proven":
                continue
            ended = _ended(item, claim.steps, reading)
            for lang in LANGS:
                for release, fails in _said(claim.text.of(lang), lang):
                    if ended.get(release, fails) is not fails:
                        what = _("claims.{index}.text.{lang}: {release} is said to {said}")
                        said = _("fail") if fails else _("be free of it")
                        what = what.format(index=index, lang=lang, release=release, said=said)
                        mend = _("its steps on that release show the opposite: say what they show")
                        yield Problem(item.source.where(("claims", index)), what, mend)


def _ended(item: BookEntry, names: list[str], reading: Reading) -> dict[str, bool]:
    """Whether a claim's steps fail, by release; none where they end in different ways."""
    ends: dict[str, set[bool]] = {}
    steps = reading.outline(item).steps
    for evidence in reading.evidence(item).values():
        for name in names:
            record, step = evidence.steps.get(name), steps.get(name)
            if record is None or step is None or record.verdict != "passed":
                continue
            if step.kind not in {"reproduce", "fix"}:
                continue  # what a measurement finds, and what advice leaves, need not raise
            pinned = dict(text.split("==", 1) for text in record.overlay if "==" in text)
            fails = step.kind == "reproduce"
            for release in ({**record.versions, **pinned}).values():
                ends.setdefault(release.partition("+")[0], set()).add(fails)
    return {release: fails.pop() for release, fails in ends.items() if len(fails) == 1}


def _said(text: str, lang: Lang) -> Iterator[tuple[str, bool]]:
    """The releases of a text with whether they are said to fail."""
    whole = (one for part in paragraphs(text) for one in sentences(part, lang))
    for part in (part for sentence in whole for part in re.split("[;:；：]", sentence)):
        waiting: list[str] = []
        for clause in _CLAUSES[lang].split(part):
            named = _RELEASE.findall(clause)
            only_named = len(_WORD.findall(_RELEASE.sub(" ", clause))) < _ENUMERATED
            waiting = [*waiting, *named] if waiting or only_named else named
            runs = _RUNS[lang].search(clause)
            fails = _FAILS[lang].search(_RUNS[lang].sub(" ", clause))
            if bool(runs) != bool(fails):
                yield from ((release, bool(fails)) for release in waiting)
            if runs or fails or not only_named:
                waiting = []
