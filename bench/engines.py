"""The searches that documentation sites have today, over the same pages, to compare with."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent


class UnavailableError(Exception):
    """A tool that an engine needs is not on this machine."""


def build_stock_site(site: Path) -> None:
    """Build the Chinese site with Material's search as it comes."""
    # Slow to import, and of no use to the tests of the measurement.
    from generator.pages.tree import write_tree  # noqa: PLC0415
    from generator.site.finish import finish_listed  # noqa: PLC0415
    from generator.site.material import render_material  # noqa: PLC0415
    from generator.view.edition import Edition  # noqa: PLC0415
    from generator.view.library import load_library  # noqa: PLC0415

    edition = Edition(load_library(HERE.parent, draft=True), "zh")
    with tempfile.TemporaryDirectory() as folder:
        tree = write_tree(edition, Path(folder), stock_search=True)
        address = f"{edition.site}/zh/"
        render_material(tree, site.resolve(), address, strict=False, plugins=["search"])
        finish_listed(site)


class PlainBm25:
    """BM25 over words between blanks, with no knowledge of code, logs or Chinese.

    Args:
        site: The built site of one language.
    """

    def __init__(self, site: Path) -> None:
        texts: dict[str, list[str]] = defaultdict(list)
        for document in _search_index(site)["docs"]:
            name = _name_of(document["location"])
            texts[name] += [document["title"], re.sub("<[^>]+>", " ", document["text"])]
        self._pages = {name: Counter(" ".join(t).lower().split()) for name, t in texts.items()}
        self._lengths = {name: page.total() for name, page in self._pages.items()}
        self._mean = sum(self._lengths.values()) / len(self._lengths)
        self._seen: Counter[str] = Counter()
        for page in self._pages.values():
            self._seen.update(page.keys())

    def all_ranked(self, texts: Sequence[str]) -> list[list[str]]:
        """Return page names for each text, best first."""
        return [self._ranked(set(text.lower().split())) for text in texts]

    def _ranked(self, words: set[str]) -> list[str]:
        scores: dict[str, float] = {}
        for name, page in self._pages.items():
            norm = 1.2 * (0.25 + 0.75 * self._lengths[name] / self._mean)
            score = 0.0
            for word in words & page.keys():
                rarity = len(self._pages) - self._seen[word] + 0.5
                idf = math.log(1 + rarity / (self._seen[word] + 0.5))
                score += idf * page[word] * 2.2 / (page[word] + norm)
            if score:
                scores[name] = score
        return sorted(scores, key=lambda name: (-scores[name], name))[:10]


class Material:
    """Material for MkDocs as it comes: its worker over the index that its plugin wrote.

    Args:
        site: The site of one language, built with the plugin's defaults.
    """

    def __init__(self, site: Path) -> None:
        import material  # type: ignore[import-untyped]  # noqa: PLC0415  (part of the site)

        if not shutil.which("node"):
            raise UnavailableError("node")
        scripts = Path(material.__file__).parent / "templates" / "assets" / "javascripts"
        worker = next((scripts / "workers").glob("search.*.min.js"))
        self._command = ["node", str(HERE / "material_search.mjs"), str(worker)]
        self._command.append(str(scripts / "lunr"))
        # Its lunr ends every query with an error that a term with an asterisk is near to.
        self._setup = {**_search_index(site, asterisks=False), "options": {"suggest": False}}

    def all_ranked(self, texts: Sequence[str]) -> list[list[str]]:
        """Return page names for each text, best first; a box has one line, so lines are joined."""
        lines = [" ".join(text.split("\n")) for text in texts]
        found = _answers(self._command, {"setup": self._setup, "queries": lines})
        return [[_name_of(location) for location in answer] for answer in found]


class Pagefind:
    """Pagefind's index of the built pages and its own script.

    Args:
        site: The built site of one language.
        scratch: Folder for its index.
        command: How to start it, for example ``npx pagefind``.
    """

    def __init__(self, site: Path, scratch: Path, command: str) -> None:
        program = shlex.split(command)
        if not program or not shutil.which(program[0]) or not shutil.which("node"):
            raise UnavailableError(command or "pagefind")
        index = scratch / "pagefind"
        made = [*program, "--site", str(site), "--output-path", str(index)]
        subprocess.run(made, check=True, capture_output=True, timeout=300)
        # The script is an ES module, which Node takes from its ending or from a package file.
        (index / "package.json").write_text('{"type": "module"}', "utf-8")
        self._command = ["node", str(HERE / "pagefind_search.mjs"), str(index)]

    def all_ranked(self, texts: Sequence[str]) -> list[list[str]]:
        """Return page names for each text, best first."""
        lines = [" ".join(text.split("\n")) for text in texts]
        found = _answers(self._command, {"queries": lines})
        return [[_name_of(location) for location in answer] for answer in found]


def _answers(command: list[str], question: dict[str, Any]) -> list[list[str]]:
    ran = subprocess.run(
        command,
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if ran.returncode:
        raise UnavailableError(ran.stderr[-400:])
    found: list[list[str]] = json.loads(ran.stdout)
    return found


def _search_index(site: Path, *, asterisks: bool = True) -> dict[str, Any]:
    text = (site / "search" / "search_index.json").read_text("utf-8")
    index: dict[str, Any] = json.loads(text if asterisks else text.replace("*", " "))
    return index


def _name_of(location: str) -> str:
    """Return the entry or message that a page is about, or its path."""
    path = location.split("#", maxsplit=1)[0].removesuffix("index.html").strip("/")
    return path.removeprefix("symptoms/")
