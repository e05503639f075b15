"""Render the finished tree without MkDocs, and compare ten pages with those that it made.

Usage: python -m bench.second_renderer TREE SITE

TREE is the tree of a language (build/en), SITE what was built from it (site/en). The pages are made
by Python-Markdown with the extensions of mkdocs.yml and a template of one line, and finished by the
same last pass, into a folder that is removed again. Compared is what stands in <article>: headings,
links, blocks of code, tables. What is missing beside Material: navigation, the table of contents,
search and its list of pages, styles and the tabs' script, the site map, the page of a missing
address, and the check that links and anchors lead somewhere.
"""

from __future__ import annotations

import posixpath
import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

from generator.pages.tree import Tree, address_of
from generator.site.finish import finish
from generator.site.material import Rendered
from generator.site.plain_pages import plain_page
from generator.site.policy import policy
from generator.view.edition import Edition
from generator.view.library import load_library

ENTRIES = 4
OTHERS = ("about.md", "claims.md", "entries.md", "evidence.md", "reference.md", "rules/index.md")
_MARKDOWN = re.compile(r'(href=")([^":#]+\.md)(#[^"]*)?"')


class Parts(HTMLParser):
    """The headings, links, blocks of code and tables of a page, as text and addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {"headings": [], "links": [], "code": [], "tables": []}
        self._article = 0
        self._open: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part, or note a link."""
        self._article += tag == "article"
        values = dict(attrs)
        kind = {"pre": "code", "table": "tables"}.get(tag)
        kind = "headings" if re.fullmatch("h[1-6]", tag) else kind
        if self._article and "headerlink" in (values.get("class") or ""):
            self._open.append(("a", ""))
        elif self._article and tag == "a" and values.get("href"):
            self.found["links"].append(str(values["href"]))
        elif self._article and kind and "filename" not in (values.get("class") or ""):
            self.found[kind].append("")
            self._open.append((tag, kind))

    def handle_endtag(self, tag: str) -> None:
        """End a part."""
        self._article -= tag == "article"
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add to the parts that are open."""
        for kind in {kind for _, kind in self._open if kind and self._open[-1][1]}:
            self.found[kind][-1] += data.strip()


def render(tree: Tree, names: list[str], site: Path) -> None:
    """Render pages of a tree.

    Args:
        tree: The tree.
        names: Paths of their Markdown.
        site: Folder to write into.
    """
    for name in names:
        made = plain_page((tree.pages / name).read_text("utf-8"))
        path = site / address_of(name) / "index.html"
        path.parent.mkdir(parents=True)
        path.write_text(_linked(made, name), "utf-8")


def _linked(page: str, name: str) -> str:
    """Lead links to Markdown to the addresses of the pages."""
    here = address_of(name) or "."

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
        address = posixpath.relpath(address_of(target) or ".", here) + "/"
        return f'{found[1]}{address}{found[3] or ""}"'

    return _MARKDOWN.sub(link, page)


def main(tree: Tree, built: Path) -> int:
    """Compare ten pages; return how many parts of them differ."""
    slugs = sorted(path.parent.parent.name for path in tree.pages.glob("*/evidence/index.md"))
    names = [f"{slug}/index.md" for slug in slugs[:: len(slugs) // ENTRIES][:ENTRIES]]
    names += OTHERS
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        render(tree, names, Path(folder))
        edition = Edition(load_library(draft=True), tree.lang)
        finish(Path(folder), tree, edition, Rendered(policy(), lambda page, _: page))
        for name in names:
            place = Path(address_of(name), "index.html")
            ours, theirs = (
                Parts((root / place).read_text("utf-8")).found for root in (Path(folder), built)
            )
            said = []
            for kind, parts in theirs.items():
                same = ours[kind] == parts
                differing += not same
                said.append(f"{len(parts)} {kind}{'' if same else f' ({len(ours[kind])} here)'}")
            print(f"{address_of(name)}: {', '.join(said)}")
    return differing


if __name__ == "__main__":
    sys.exit(main(Tree(Path(sys.argv[1]), "en"), Path(sys.argv[2])) > 0)
