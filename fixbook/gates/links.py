"""Every name that an entry refers to exists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import PLACED
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.book import Book, BookEntry, Key
    from fixbook.gates.reading import Reading

# An issue or a pull request at its address, and how a title names it: ``TRL 6343: …``.
_NUMBERED = re.compile(
    r"https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull|discussions)/(?P<number>\d+)", re.ASCII
)
_NAMED = re.compile(r"[^:]{1,80} #?(?P<number>\d{1,6}):", re.ASCII)


def known_targets(reading: Reading) -> Iterator[Problem]:
    """Check references, sources, symptoms, steps, log files and configuration files."""
    for item in reading.entries:
        check = _Checker(reading.book, item)
        yield from check.symptoms()
        yield from check.references()
        yield from check.numbers()
        yield from check.stated()
        yield from check.claims()
        yield from check.steps()
        yield from check.snippets()
        yield from check.files()


class _Checker:
    def __init__(self, book: Book, item: BookEntry) -> None:
        self._book = book
        self._item = item
        self._entry = item.entry
        self._references = {reference.id for reference in item.entry.references}

    def symptoms(self) -> Iterator[Problem]:
        shared = {share.id for share in self._entry.symptoms}
        for index, share in enumerate(self._entry.symptoms):
            yield from self._known(
                N_("symptom"), share.id, self._book.symptoms, ("symptoms", index)
            )
        for index, log in enumerate(self._entry.logs):
            if log.symptom:
                yield from self._known(N_("shared symptom"), log.symptom, shared, ("logs", index))
        for name, step in self._entry.steps.items():
            if step.fails and step.fails.symptom:
                key = ("steps", name, "fails")
                yield from self._known(N_("shared symptom"), step.fails.symptom, shared, key)
        for index, signature in enumerate(self._entry.signatures):
            for slug in signature.overlaps:
                yield from self._known(N_("entry"), slug, self._book.entries, ("signatures", index))

    def references(self) -> Iterator[Problem]:
        for index, advice in enumerate(self._entry.non_fixes):
            if not advice.seen_in:
                where = self._item.source.where(("non_fixes", index))
                mend = _("name a page under seen_in that gives the advice, or leave it out")
                what = _("nothing shows that {name!r} circulates").format(name=advice.id)
                yield Problem(where, what, mend)
            for name in advice.seen_in:
                known = self._references | self._book.sources.keys()
                yield from self._known(N_("reference"), name, known, ("non_fixes", index))
        for index, log in enumerate(self._entry.logs):
            kind = N_("step") if log.step else N_("reference")
            names = set(self._entry.steps) if log.step else self._references
            yield from self._known(kind, log.step or log.source, names, ("logs", index))

    def numbers(self) -> Iterator[Problem]:
        """Yield references that name an issue by another number than that of its address."""
        for index, one in enumerate(self._entry.references):
            there, named = _NUMBERED.match(one.url), _NAMED.match(one.title)
            if there and named and there["number"] != named["number"]:
                what = _("{title!r} is called {named}, and its address leads to {number}")
                what = what.format(title=one.title, named=named["number"], number=there["number"])
                where = self._item.source.where(("references", index))
                yield Problem(where, what, _("open the address, and write its number in both"))

    def stated(self) -> Iterator[Problem]:
        """Yield the references that claims and bounds rest on and that there are not."""
        entry = self._entry
        named: list[tuple[Key, str | None]] = [
            *((("claims", n, "reference"), one.reference) for n, one in enumerate(entry.claims)),
            *((("boundary", n, "reference"), r.reference) for n, r in enumerate(entry.boundary)),
        ]
        for key, name in named:
            if name:
                yield from self._known(N_("reference"), name, self._references, key)

    def claims(self) -> Iterator[Problem]:
        fixes = {f"fix:{fix.id}" for fix in self._entry.fixes}
        non_fixes = {f"non_fix:{advice.id}" for advice in self._entry.non_fixes}
        targets = fixes | non_fixes | {"detect", "cause", "signature", "silent_twin"}
        for index, said in enumerate(self._entry.said):
            key = ("said", index)
            yield from self._known(N_("source"), said.source, self._book.sources, key)
            yield from self._known(N_("part of the entry"), said.see, targets, key)

    def steps(self) -> Iterator[Problem]:
        twin = self._entry.silent_twin
        for name in twin.steps if twin else ():
            yield from self._known(N_("step"), name, self._entry.steps, ("silent_twin", "steps"))
        names = self._entry.names
        for name in names.steps if names else ():
            yield from self._known(N_("step"), name, self._entry.steps, ("names", "steps"))
        for index, claim in enumerate(self._entry.claims):
            for name in claim.steps:
                yield from self._known(
                    N_("step"), name, self._entry.steps, ("claims", index, "steps")
                )
        for name, step in self._entry.steps.items():
            if isinstance(step.simulated, str):
                key = ("steps", name, "simulated")
                yield from self._known(
                    N_("text under 'simulated'"), step.simulated, self._entry.simulated, key
                )

    def snippets(self) -> Iterator[Problem]:
        named: dict[Key, str | None] = {("detect", "snippet"): self._entry.detect.snippet}
        named |= {("fixes", n, "snippet"): fix.snippet for n, fix in enumerate(self._entry.fixes)}
        placed = {
            (key, match["id"])
            for key, text in texts_of(self._entry)
            for match in PLACED.finditer(text.zh + "\n" + text.en)
        }
        for key, name in [*named.items(), *placed]:
            if name is not None:
                yield from self._known(N_("snippet"), name, self._entry.snippets, key)
        for key, name in named.items():
            if name is not None and ((*key[:-1], "text"), name) in placed:
                what = _("snippet {name!r} is shown twice: it is named here and placed in the text")
                mend = _("keep one of the two")
                yield Problem(self._item.source.where(key), what.format(name=name), mend)
        shown = {*named.values(), *(name for _key, name in placed)}
        for name in self._entry.snippets.keys() - shown:
            where = self._item.source.where(("snippets", name))
            what = _("snippet {name!r} is shown nowhere").format(name=name)
            yield Problem(where, what, _("name it, or remove it"))

    def files(self) -> Iterator[Problem]:
        named = {log.file for log in self._entry.logs if log.file}
        for index, log in enumerate(self._entry.logs):
            if log.file:
                yield from self._file(log.file, ("logs", index))
        for index, fix in enumerate(self._entry.fixes):
            for change in fix.config:
                named |= {change.before, change.after}
                yield from self._file(change.before, ("fixes", index, "config"))
                yield from self._file(change.after, ("fixes", index, "config"))
        for folder in ("logs", "configs"):
            for path in sorted((self._item.folder / folder).glob("*")):
                name = f"{folder}/{path.name}"
                if name not in named:
                    what = _("is named nowhere in entry.yaml")
                    yield Problem(str(path), what, _("name it, or remove it"))

    def _file(self, name: str, key: Key) -> Iterator[Problem]:
        path = (self._item.folder / name).resolve()
        if not path.is_relative_to(self._item.folder.resolve()) or not path.is_file():
            where = self._item.source.where(key)
            what = _("{name!r} is not a file of this entry").format(name=name)
            yield Problem(where, what, _("add it, or correct the name"))

    def _known(self, what: str, name: str, known: Iterable[str], key: Key) -> Iterator[Problem]:
        if name not in known:
            said = _("{name!r} is not a known {what}").format(name=name, what=_(what))
            mend = _("use one of: {names}")
            mend = mend.format(names=", ".join(sorted(known)) or _("(none yet)"))
            yield Problem(self._item.source.where(key), said, mend)
