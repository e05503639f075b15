"""A copy of the book with one untruth in it, and the untruths themselves as data."""

from __future__ import annotations

import dataclasses
import itertools
import json
import shutil
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import yaml

from fixbook.book import Book, load_book
from fixbook.recipe.reading import Outline, read_outline
from fixbook.text import join_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fixbook.recipe.author import Step

BOOK = (
    *("recipes", "rules", "symptoms", "sources.yaml", "slugs.txt", "terms.yaml"),
    "exempt-from-negative-control.txt",
)
Item = TypeVar("Item")
Catcher = Literal["gates", "run", "tools", "fixtures", "page"]


class NoTargetError(Exception):
    """The entry has nothing of the kind that an untruth needs."""


@dataclasses.dataclass(frozen=True, slots=True)
class Untruth:
    """One thing that is not so.

    Attributes:
        name: What was done.
        plant: Does it to an entry of a copy, and says where.
        catcher: What is asked besides the model and the gates.
        why_not: Why nothing mechanical can catch it; empty if something has to.
    """

    name: str
    plant: Callable[[Draft], str]
    catcher: Catcher = "gates"
    why_not: str = ""


class Draft:
    """One entry of a copy of the book, to be spoilt.

    Attributes:
        root: The copy.
        slug: The entry.
        folder: Its folder.
        others: Folders of other entries.
        data: Its entry.yaml as plain data; `save` writes it.
        to_run: Steps that have to run for the untruth to be seen.
    """

    def __init__(self, root: Path, slug: str, book: Path | None = None) -> None:
        self.root = root
        folders = sorted((book or root).glob("recipes/*"))
        self.others = [folder for folder in folders if folder.name != slug]
        self.slug = slug
        self.folder = root / "recipes" / slug
        self.data: dict[str, Any] = yaml.safe_load(self.yaml.read_text("utf-8"))
        for _place, text in self.texts():
            text.update({lang: join_lines(said) for lang, said in text.items()})
        self.to_run: list[str] = []

    @property
    def yaml(self) -> Path:
        """The entry's file."""
        return self.folder / "entry.yaml"

    @property
    def runs(self) -> Path:
        """The file of its evidence that says when and on what its steps ran."""
        return self.folder / "evidence/cpu.runs.json"

    @property
    def outline(self) -> Outline:
        """Its recipe as it is now."""
        return read_outline(self.folder / "recipe.py")

    def save(self) -> None:
        """Write entry.yaml from `data`."""
        text = yaml.safe_dump(self.data, allow_unicode=True, sort_keys=False, width=10**6)
        self.yaml.write_text(text, "utf-8")

    def evidence(self) -> dict[str, Any]:
        """Return what was recorded on a CPU, as plain data."""
        found: dict[str, Any] = json.loads((self.folder / "evidence/cpu.json").read_text("utf-8"))
        if self.runs.is_file():
            runs = json.loads(self.runs.read_text("utf-8"))
            for name, of_run in runs.pop("steps").items():
                found["steps"][name] |= of_run
            found |= runs
        return found

    def save_evidence(self, data: dict[str, Any]) -> None:
        """Write the evidence of a CPU, all of it into one file, which is read as well."""
        self.runs.unlink(missing_ok=True)
        path = self.folder / "evidence/cpu.json"
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")

    def passed(self, *kinds: str) -> Iterator[Step]:
        """Yield the steps of some kinds that passed on a CPU, the cheapest first."""
        records, steps = self.evidence()["steps"], self.outline.steps
        ran = [name for name in steps if records.get(name, {}).get("verdict") == "passed"]
        for name in sorted(ran, key=lambda name: records[name].get("cpu_seconds", 0)):
            if steps[name].kind in kinds:
                yield steps[name]

    def step(self, *kinds: str, **fields: object) -> Step:
        """Return the cheapest recorded step of some kinds whose fields have these values.

        Raises:
            NoTargetError: There is none.
        """
        wanted = fields.items()
        return first(s for s in self.passed(*kinds) if all(getattr(s, k) == v for k, v in wanted))

    def edit(self, step: Step, old: str, new: str) -> None:
        """Replace the first occurrence of a text in a step's decorators and function.

        Raises:
            NoTargetError: It does not occur.
        """
        path = self.folder / step.file
        text, code = path.read_text("utf-8"), self.outline.code[step.name]
        start = text.index(code.strip())
        before, part = text[:start], text[start : start + len(code.strip())]
        decorated = before.rindex("\n\n\n") if "\n\n\n" in before else 0
        head, part = before[:decorated], before[decorated:] + part
        if old not in part:
            raise NoTargetError
        rest = text[start + len(code.strip()) :]
        path.write_text(head + part.replace(old, new, 1) + rest, "utf-8")

    def texts(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the bilingual texts of the entry with their places."""
        yield from _texts(self.data, "")


def _texts(value: Any, place: str) -> Iterator[tuple[str, dict[str, str]]]:
    if isinstance(value, dict) and value.keys() == {"zh", "en"} and isinstance(value["en"], str):
        yield place, value
        return
    pairs = value.items() if isinstance(value, dict) else ()
    for key, part in itertools.chain(pairs, enumerate(value) if isinstance(value, list) else ()):
        yield from _texts(part, f"{place}.{key}" if place else str(key))


def first(items: Iterator[Item]) -> Item:
    """Return the first of some items.

    Raises:
        NoTargetError: There is none.
    """
    for item in items:
        return item
    raise NoTargetError


def copy_of(book: Path, root: Path) -> Book:
    """Copy a book without what is beside it; return it as it is loaded.

    Args:
        book: Root of the book.
        root: Where to.
    """
    for name in BOOK:
        _copy(book / name, root / name)
    for folder in sorted((root / "recipes").iterdir()):
        Draft(root, folder.name).save()  # one layout for all: only what is planted will differ
    return load_book(root, strict=False)


def draft_of(book: Path, slug: str, root: Path) -> Draft:
    """Copy a book with one entry in it.

    Args:
        book: Root of the book.
        slug: The entry.
        root: Where to; what is there is removed.
    """
    shutil.rmtree(root, ignore_errors=True)
    for name in [*BOOK[1:], f"recipes/{slug}"]:
        _copy(book / name, root / name)
    return Draft(root, slug, book)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    elif source.exists():
        shutil.copyfile(source, target)
