"""What may find a mistake in GPU code without a card: a CPU, the gates, a rehearsal, compilers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.kernels import ARCHITECTURES, compiler, kernels_in
from bench.untruth import catchers
from bench.untruth.draft import draft_of
from fixbook.book import load_entry
from fixbook.gates import GATES
from fixbook.index.build import index_of
from fixbook.recipe.reading import read_outline
from fixbook.recipe.running import run_step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.planted_gpu.mistakes import Mistake
    from bench.untruth.catchers import Catch
    from bench.untruth.draft import Draft
    from fixbook.book import Book
    from fixbook.log.signatures import Index
    from fixbook.recipe.record import StepResult

CHECKS = ("CPU", "gates", "rehearsal", "compiler")
# `freshness` asks for a new record after any change of a recipe; those of `WHOLE` compare entries.
_NAMES = GATES.keys() - {"freshness"} - catchers.WHOLE


class MistakeError(Exception):
    """A text that a mistake changes is not there, or the entry is not sound without it."""


@dataclass(slots=True)
class Checks:
    """The checks, and what each has said of entries without a mistake.

    Attributes:
        book: The book.
        folder: Where copies are made.
        sound: Names of steps that hold in a rehearsal, as ``slug/step``.
        gates: Of each entry, what the gates have against it already.
    """

    book: Book
    folder: Path
    sound: set[str]
    index: Index = field(init=False)
    gates: dict[str, Counter[Catch]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compile the signatures."""
        self.index = index_of(self.book)

    def found(self, mistake: Mistake) -> dict[str, str]:
        """Plant a mistake into a copy, and return what each check that found it said.

        Raises:
            MistakeError: It cannot be planted.
        """
        self._show_soundness(mistake)
        draft = planted(self.book, mistake, self.folder)
        found = {
            "CPU": self._run(draft, mistake, stands_in=False),
            "gates": self._gates(draft),
            "rehearsal": self._run(draft, mistake, stands_in=True),
            "compiler": next(self._refused(draft), ""),
        }
        return {name: said for name, said in found.items() if said}

    def _show_soundness(self, mistake: Mistake) -> None:
        """Rehearse a step without the mistake, where it is not known to hold."""
        name = f"{mistake.slug}/{mistake.step}"
        if name in self.sound:
            return
        draft = draft_of(self.book.root, mistake.slug, self.folder)
        if said := self._run(draft, mistake, stands_in=True):
            raise MistakeError(f"{name} is not sound: {said}")
        self.sound.add(name)

    def _run(self, draft: Draft, mistake: Mistake, *, stands_in: bool) -> str:
        """Return why a step fails on a CPU or in a rehearsal; empty if it does not."""
        if not mistake.step:
            return ""
        item = load_entry(draft.folder)
        step = read_outline(item.recipe).steps[mistake.step]
        if step.needs.on == ("cpu" if stands_in else "cuda"):
            return ""
        result: StepResult = run_step(item, step, self.index, stands_in=stands_in)
        return result.verdict.reason if result.verdict.status == "failed" else ""

    def _gates(self, draft: Draft) -> str:
        if draft.slug not in self.gates:
            self.gates[draft.slug] = Counter(catchers.gates(self.book, draft.slug, _NAMES))
        spoilt = catchers.spoilt(self.book, draft)
        new = Counter(catchers.gates(spoilt, draft.slug, _NAMES)) - self.gates[draft.slug]
        return next((f"{catch.by}: {catch.what}" for catch in new), "")

    def _refused(self, draft: Draft) -> Iterator[str]:
        found = list(kernels_in(draft.folder))
        if not found:
            return
        compile_one = compiler(self.book)
        for kernel in found:
            for architecture in ARCHITECTURES:
                said = compile_one(kernel, architecture).refused
                if said:
                    yield f"{architecture}: {said}"


def planted(book: Book, mistake: Mistake, folder: Path) -> Draft:
    """Copy an entry with a mistake in it.

    Args:
        book: The book.
        mistake: What is planted.
        folder: Where to; what is there is removed.

    Raises:
        MistakeError: A text that it changes is not there.
    """
    draft = draft_of(book.root, mistake.slug, folder)
    for name, old, new in mistake.edits:
        path = draft.folder / name
        text = path.read_text("utf-8")
        if old not in text:
            raise MistakeError(f"{mistake.name}: {mistake.slug}/{name} does not hold {old!r}")
        path.write_text(text.replace(old, new), "utf-8")
    return draft
