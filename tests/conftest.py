"""A small book to test with: one complete entry, written into a temporary folder."""

from __future__ import annotations

import copy
import json
import os
import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fixbook.book import Book, load_book
from fixbook.text import i18n
from tests.gating import recorded
from tests.leave_out import leave_out, pytest_terminal_summary
from tests.long_first import place
from tests.one_wheel import copied_wheel, wheel_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["pytest_terminal_summary"]  # a hook of pytest


@pytest.hookimpl(trylast=True)  # after -m and -k have chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another day runs, and put first what takes long."""
    leave_out(config, items)
    items.sort(key=lambda item: place(item.path))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of all workers of this run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def wheel(shared_folder: Path) -> Path:
    """Return the wheel of this checkout."""
    return wheel_in(shared_folder)


@pytest.fixture(scope="session")
def wheel_at_hand(shared_folder: Path) -> Iterator[None]:
    """Let what builds a site copy the wheel, which is built when it is first asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "generator.exports.takeaway.write_wheel", partial(copied_wheel, shared_folder)
        )
        yield


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Whatever language a test asks a command for, the next one reads English."""
    yield
    i18n.choose("en")


HEADER = """\
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
# ///
from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

"""

RECIPE = """
@reproduce()
def it_breaks():
    fill()

@detect(found=True)
def broken_widget():
    return look()

@detect(found=False, control="broken-widget")
def mended_widget():
    return look(mended=True)

@fix("mend-it", control="it-breaks")
def mended():
    return fill(mended=True)

@non_fix("shake-it", control="it-breaks")
def shaken():
    return fill(shaken=True)

def fill(mended=False, shaken=False):
    measure(shaken=shaken, size=3 if mended else 9)
    snippet("detect")
    if not mended:
        raise SystemExit("widget 7 overflowed")

def look(mended=False):
    return {"found": not mended, "size": 3 if mended else 9}
"""


def both(text: str) -> dict[str, str]:
    return {"zh": f"{text}（中文）", "en": text}


ENTRY: dict[str, Any] = {
    "title": both("Widget overflow"),
    "summary": both("A widget grows past its box."),
    "categories": ["wrong-result"],
    "projects": ["widgets"],
    "added": "2026-11-21",
    "aliases": {
        "zh": ["部件溢出", "部件装不进盒子", "盒子爆了"],
        "en": ["widget overflow", "widget outgrows its box", "box bursts"],
    },
    "boundary": [{"package": "widgets", "first_fixed": "2", "sure": "read", "reference": "report"}],
    "claims": [
        {"id": "m", "level": "proven", "text": both("It overflows."), "steps": ["it-breaks"]}
    ],
    "signatures": [{"id": "overflow", "pattern": r"widget (?P<number>\d+) overflowed"}],
    "symptoms": [],
    "symptom": both("The run ends."),
    "not_this_if": [both("the box is empty")],
    "cause": both("It grows to {{broken-widget.size}}."),
    "silent_twin": {"text": both("It may grow unseen."), "steps": ["broken-widget"]},
    "detect": {
        "text": both("Measure it."),
        "snippet": "detect",
        "steps": ["broken-widget", "mended-widget"],
    },
    "snippets": {"detect": {"code": "print(1)\n"}},
    "fixes": [
        {
            "id": "mend-it",
            "title": both("Mend it"),
            "text": both("Take a smaller widget; {{mended.size}} was seen afterwards."),
            "trade_off": both("none"),
        }
    ],
    "non_fixes": [
        {"id": "shake-it", "title": both("Shake it"), "text": both("No."), "seen_in": ["report"]}
    ],
    "steps": {
        "it-breaks": {"title": both("breaks"), "fails": {"exit": "nonzero"}},
        "broken-widget": {"title": both("measures"), "expect": {"size": "== 9"}},
        "mended-widget": {"title": both("measures"), "expect": {"size": "== 3"}},
        "mended": {"title": both("mends"), "expect": {"size": "<= 3"}},
        "shaken": {"fails": {"exit": "nonzero"}, "in_force": {"shaken": "== true"}},
    },
    "said": [],
    "logs": [
        {"file": "logs/one.txt", "source": "report"},
        {"file": "logs/two.txt", "source": "report"},
    ],
    "references": [
        {"id": "report", "kind": "issue", "title": "Report", "url": "https://example.org/1"}
    ],
}


THREADS = [
    {
        "url": f"https://example.org/issues/{number}",
        "route": "Widgets packed by a robot.",
        "ended": "solved",
        "by": "A larger box.",
        "leads_to": "fix:mend-it",
    }
    for number in (7, 8)
]
QUERIES = [
    {"kind": "line", "text": "widget 12 overflowed"},
    {"kind": "variant", "text": "[rank3]: widget 5 overflowed"},
    {"kind": "paste", "text": "step 9\nError: widget 4 overflowed\n"},
    {"kind": "keywords", "text": "widget grows past its box"},
    {"kind": "chinese", "text": "widget 中文"},
]


@pytest.fixture
def entry() -> dict[str, Any]:
    """Return a complete entry, free to be changed."""
    return copy.deepcopy(ENTRY)


@pytest.fixture
def make_book(tmp_path: Path) -> Callable[..., Book]:
    """Return a function that writes entries and loads them as a book."""

    def make(
        entry: dict[str, Any] | None = None,
        recipe: str = RECIPE,
        slug: str = "widget-overflow",
        *,
        symptoms: dict[str, Any] | None = None,
        strict: bool = True,
    ) -> Book:
        write_entry(tmp_path, entry or copy.deepcopy(ENTRY), recipe, slug)
        for name, symptom in (symptoms or {}).items():
            (tmp_path / "symptoms").mkdir(exist_ok=True)
            (tmp_path / "symptoms" / f"{name}.yaml").write_text(yaml.safe_dump(symptom), "utf-8")
        slugs = sorted(path.name for path in (tmp_path / "recipes").iterdir())
        (tmp_path / "slugs.txt").write_text("\n".join(slugs) + "\n", "utf-8")
        return load_book(tmp_path, strict=strict)

    return make


def write_entry(root: Path, entry: dict[str, Any], recipe: str, slug: str) -> Path:
    folder = root / "recipes" / slug
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    plain = json.loads(json.dumps(entry))  # no object twice, so that no alias is written
    text = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False)
    (folder / "entry.yaml").write_text(text, "utf-8")
    (folder / "recipe.py").write_text(HEADER + textwrap.dedent(recipe), "utf-8")
    asked = yaml.safe_dump(QUERIES, allow_unicode=True)
    (folder / "queries.yaml").write_text(asked, "utf-8")
    words = {lang: [f"word {number}" for number in range(8)] for lang in ("zh", "en")}
    (folder / "words.yaml").write_text(json.dumps(words), "utf-8")
    (folder / "threads.yaml").write_text(json.dumps(THREADS), "utf-8")
    for log in entry.get("logs", []):
        (folder / log.get("file", "logs/none.txt")).write_text(
            "step 1\nError: widget 3 overflowed\n", "utf-8"
        )
    return folder


@pytest.fixture
def good(make_book: Callable[..., Book]) -> Book:
    """Return a book whose one entry is complete and recorded."""
    return recorded(make_book())
