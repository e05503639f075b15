"""The tree that pages are rendered from is finished: linked, complete, and no renderer's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fixbook.text import LANGS
from generator import PROJECT
from generator.pages.tree import Tree, address_of, write_tree
from generator.site import build as site_module
from generator.site.build import SiteError, build_language
from generator.site.finish import finish
from generator.site.live_markup import MarkupError
from generator.site.material import Rendered
from generator.site.policy import PolicyError, policy
from generator.text.guard import guard
from generator.text.links import ROOT
from generator.view.edition import Edition
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.view.library import Library

_LINK = re.compile(r"\]\(([^)\s:]+)\)")


@pytest.fixture(scope="module")
def tree(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return write_tree(Edition(library, "en"), tmp_path_factory.mktemp("tree"))


def paths(menu: list[dict[str, Any]]) -> Iterator[str]:
    for one in menu:
        for below in one.values():
            yield from [below] if isinstance(below, str) else paths(below)


def test_every_link_of_the_tree_leads_to_a_file(tree: Tree) -> None:
    seen = 0
    for page in tree.pages.rglob("*.md"):
        text = re.sub(r"(?ms)^ *(`{3,}).*?^ *\1$", "", page.read_text("utf-8"))
        assert ROOT not in text, page
        for link in _LINK.findall(text):
            path = link.partition("#")[0]
            seen += bool(path)
            assert not path or (page.parent / path).resolve().is_file(), (page, link)
    assert seen > 30


def test_the_data_of_the_tree_name_all_pages(tree: Tree) -> None:
    pages = {page.relative_to(tree.pages).as_posix() for page in tree.pages.rglob("*.md")}
    assert {f"{SLUG}/index.md", "about.md", "index.md"} <= pages
    assert set(tree.heads()) == {address_of(page) for page in pages}
    assert set(paths(tree.navigation())) < pages
    for head in tree.heads().values():
        assert head["title"]
        assert head["description"]
    assert tree.heads()[f"{SLUG}/"]["kind"] == "article"


def test_only_what_differs_is_written_again(library: Library, tmp_path: Path) -> None:
    tree = write_tree(Edition(library, "zh"), tmp_path)
    page, gone = tree.pages / "about.md", tree.pages / "old/index.md"
    gone.parent.mkdir()
    gone.touch()
    page.write_text("changed", "utf-8")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    write_tree(Edition(library, "zh"), tmp_path)
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert {path for path in before if before[path] != after.get(path)} == {page, gone}
    assert not gone.parent.exists()


@pytest.mark.parametrize("lang", LANGS)
def test_the_renderer_needs_no_plugin_of_ours(lang: str) -> None:
    config = yaml.safe_load((PROJECT / f"mkdocs.{lang}.yml").read_text("utf-8"))
    shared = yaml.safe_load((PROJECT / "mkdocs.yml").read_text("utf-8"))
    assert set(config["plugins"]) == {"search"}
    assert not {"plugins", "hooks"} & set(shared)


def _page(content: str) -> str:
    return f"<html><head><!-- head --></head><body>{content}</body></html>"


def finished(content: str, folder: Path, tree: Tree, library: Library) -> str:
    """Return a page as the last pass leaves it, whatever wrote it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "about").mkdir()
    (folder / "about/index.html").write_text(_page(content), "utf-8")
    finish(folder, tree, Edition(library, "en"), Rendered(policy(), lambda page, _name: page))
    return (folder / "about/index.html").read_text("utf-8")


def test_any_renderers_page_is_finished(tree: Tree, library: Library, tmp_path: Path) -> None:
    text = guard('<script>x()</script> & {: onclick="x()" }')
    page = finished(f"<nav>{text}</nav><article><p>{text}</p></article>", tmp_path, tree, library)
    shown = '&lt;script>x()&lt;/script> &amp; {: onclick="x()" }'
    assert page.count(shown) == 2
    assert "<title>About · Fixbook</title>" in page
    assert page.startswith('<html><head>\n<meta http-equiv="Content-Security-Policy"')


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        ("<article><script src=x.js></script></article>", MarkupError, "holds live markup"),
        ("<article>x</article><p onclick=x>y</p></article>", MarkupError, "holds live markup"),
        ("<main>x</main>", MarkupError, "has no <article>"),
        ("<article>x</article><p style='color: red'>y</p>", PolicyError, "forbids"),
    ],
)
def test_what_no_page_may_hold_is_refused(
    tree: Tree, library: Library, tmp_path: Path, content: str, error: type[Exception], said: str
) -> None:  # fmt: skip
    with pytest.raises(error, match=rf"^about/index\.html .*{said}"):
        finished(content, tmp_path, tree, library)


def test_a_build_says_what_it_refuses(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise MarkupError("x.html holds live markup")

    monkeypatch.setattr(site_module, "finish", refuse)
    with pytest.raises(SiteError, match=r"^en: x\.html holds live markup"):
        build_language(Edition(library, "en"), tmp_path, "https://example.org")
