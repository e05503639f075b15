"""A figure, a device or a name in a statement occurs in what its steps measured, printed or ran."""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING

from fixbook.gates.calls import Calls
from fixbook.gates.rests_on import steps_behind
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Key, Text
    from fixbook.gates.reading import Reading
    from fixbook.recipe.record import StepRecord

_FENCE = re.compile(r"(?ms)^ *(?P<mark>```+|~~~+)[^\n]*\n.*?^ *(?P=mark)\s*$")
_QUOTED = re.compile(r"\{\{[^}]*\}\}|\]\([^)]*\)|“[^”]*”|「[^」]*」")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_NUMBER = re.compile(r"(?<![\w.#-])\d+(?:[.,]\d+)*(?![\w-]*\w)")
_NAME = re.compile(r"[A-Za-z_]\w{2,}")
_DEVICE = re.compile(r"\bcuda:\d+\b")
_STOP = re.compile(r"(?<=[.!?])(?=\s|$)|\n")
_DIGITS = 2  # what is shorter stands in any log by chance
# What the sentence itself says is not from a step, or from where it is.
_ELSEWHERE = re.compile(
    r"\{\{mark:|not (?:been )?(?:executed|run|tried)|\bread\b|sources?\b|metadata"
    r"|report(?:ed)?\b|issue\b",
    re.IGNORECASE,
)


def known_literals(reading: Reading) -> Iterator[Problem]:
    """Check figures and names of proven claims and fixes against what was recorded.

    A claim is held against its own steps and their controls, a fix against all steps of the
    entry. What a sentence says was read or reported is left to the reference that it names.
    """
    for item in reading.entries:
        record = _Record(item, reading)
        for key, text in texts_of(item.entry):
            if _is_stated(item, key):
                for what, mend in _objections(text, key, record):
                    name = ".".join(map(str, key))
                    said = _("{where}: {what}").format(where=name, what=what)
                    yield Problem(item.source.where(key), said, mend)


def _is_stated(item: BookEntry, key: Key) -> bool:
    match key:
        case ("claims", int(index), *_):
            return item.entry.claims[index].level == "proven"
        case ("fixes", int(), "text" | "title" | "trade_off"):
            return True
        case _:
            return False


def _objections(text: Text, key: Key, record: _Record) -> Iterator[tuple[str, str]]:
    for sentence in _sentences(_FENCE.sub("", text.en)):
        if record.is_from_elsewhere(sentence):
            continue
        plain = _QUOTED.sub(" ", sentence)
        for found in _NUMBER.finditer(_CODE.sub(" ", plain)):
            number = found[0]
            before = found.string[: found.start()].split()
            name = before[-1] if before else ""
            known = name == "rank" or record.is_release(number, name)
            if not known and not record.has_number(key, number):
                what = _("{literal!r} is in nothing that its steps measured, printed or ran")
                mend = _(
                    "write what the record says, fill it in with {code}, "
                    "or end the sentence with a mark, such as {{{{mark:read}}}}"
                )
                yield what.format(literal=number), mend.format(code="{{step.measure}}")
        for name in _names(plain, whole=key[0] == "claims"):
            if not record.has_name(name):
                what = _("{literal!r} occurs nowhere in the recipe, its record and its files")
                mend = _("name what the steps used, or say in the sentence where it was read")
                yield what.format(literal=name), mend


def _sentences(text: str) -> Iterator[str]:
    """The sentences of an English text; what is in code marks ends none."""
    plain = _CODE.sub(lambda code: "`" + "x" * len(code[1]) + "`", text)
    ends = [stop.start() for stop in _STOP.finditer(plain)]
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        yield text[start:end]


def _names(sentence: str, *, whole: bool) -> Iterator[str]:
    """The names in code marks: of a claim all, of a fix the devices and what pip is asked for."""
    for code in _CODE.findall(sentence):
        if whole:
            yield from _NAME.findall(code)
        elif "pip install" in code:
            asked = code.partition("pip install")[2].replace('"', " ").split()
            names = (re.match(r"[A-Za-z][\w-]*", word) for word in asked)
            yield from (name[0] for name in names if name)
        yield from _DEVICE.findall(code)


class _Record:
    """What is known of an entry beside its prose."""

    def __init__(self, item: BookEntry, reading: Reading) -> None:
        self._item = item
        self._outline = reading.outline(item)
        self._calls = Calls(item.folder)
        self._pythons = [one.machine.python for one in reading.evidence(item).values()]
        self._records: dict[str, StepRecord] = {
            name: step
            for evidence in reading.evidence(item).values()
            for name, step in evidence.steps.items()
        }
        self._behind: dict[Key, str] = {}

    def is_from_elsewhere(self, sentence: str) -> bool:
        """Tell whether a sentence says that it was read, or names one of the references."""
        if _ELSEWHERE.search(sentence):
            return True
        addresses = (reference.url for reference in self._item.entry.references)
        numbers = {number for url in addresses for number in re.findall(r"\d{2,}", url)}
        links = re.findall(r"\]\(([^)]*)\)", sentence)
        return bool(links) or bool(numbers & set(re.findall(r"\d{2,}", sentence)))

    def is_release(self, number: str, before: str) -> bool:
        """Tell whether a number is the beginning of a release that was run.

        One without a point is only if the name of the package stands before it.
        """
        named = before.lower() if "." not in number else ""
        return any(
            release.startswith(f"{number}.") and (not named or named == package)
            for package, release in self._releases
        )

    @functools.cached_property
    def _releases(self) -> set[tuple[str, str]]:
        pairs = {("python", release) for release in self._pythons}
        pairs |= {
            (package.lower(), release)
            for record in self._records.values()
            for package, release in record.versions.items()
        }
        pinned = (text.split("==") for one in self._records.values() for text in one.overlay)
        return pairs | {(pair[0].lower(), pair[1]) for pair in pinned if len(pair) > 1}

    def has_number(self, key: Key, number: str) -> bool:
        """Tell whether a number stands in what is behind a text."""
        if key[:2] not in self._behind:
            named = steps_behind(self._item.entry, self._outline, key) or set()
            steps = set(self._records) | named if key[0] == "fixes" else named
            logs = "\n".join(self._log(name) for name in sorted(steps))
            logs += self._everything if key[0] == "fixes" else ""
            short = "\n".join(self._said(name) for name in sorted(named))
            references = "\n".join(one.title for one in self._item.entry.references)
            self._behind[key[:2]] = f"{short}\n{references}\n\f{logs}"
        short, _mark, logs = self._behind[key[:2]].partition("\f")
        haystack = short + logs if len(number) > _DIGITS else short
        digits = re.escape(number).replace(",", ",?")
        return bool(re.search(rf"(?<![\d.]){digits}(?!\d|\.\d)", haystack.replace("_", "")))

    def _said(self, name: str) -> str:
        """What a step measures, asks for and runs, and what the entry says of it."""
        step, entry = self._outline.steps.get(name), self._item.entry
        claims = entry.steps.get(name)
        code = self._outline.code.get(name)
        parts = [self._calls.text(code) if code else "", name.replace("-", ".")]
        parts += [repr(step.needs)] if step else []
        parts += [claims.model_dump_json()] if claims else []
        if name in self._records:
            record = self._records[name]
            parts += [json.dumps(record.measures, ensure_ascii=False), *record.overlay]
            parts += [*record.versions.values()]
            parts += [entry.snippets[one].code for one in record.snippets if one in entry.snippets]
        return "\n".join(parts)

    def _log(self, name: str) -> str:
        if name not in self._records:
            return ""
        record = self._records[name]
        return f"{record.log}\n{json.dumps(record.measures)}\n{' '.join(record.overlay)}"

    def has_name(self, name: str) -> bool:
        """Tell whether a name stands in anything of the entry but its prose."""
        return name.lower() in self._everything

    @functools.cached_property
    def _everything(self) -> str:
        entry, folder = self._item.entry, self._item.folder
        kinds = ("*.py", "*.c", "*.h", "*.cpp", "logs/*", "configs/*")
        files = (path for kind in kinds for path in sorted(folder.glob(kind)) if path.is_file())
        parts = [path.read_text("utf-8", errors="replace") for path in files]
        parts += [snippet.code for snippet in entry.snippets.values()]
        parts += [signature.pattern for signature in entry.signatures]
        parts += [f"{one.title} {one.url}" for one in entry.references]
        for name, record in self._records.items():
            parts += [self._log(name), *record.versions]
        return "\n".join(parts).lower()
