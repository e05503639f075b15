"""Notebooks of entries: valid, without outputs, made of the same files, found from their pages."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from fixbook.book_root import book_root
from fixbook.repository import REPOSITORY_VARIABLE
from fixbook.site_address import LOCAL_SITE, wheel_address
from fixbook.text import LANGS
from generator.pages.article import article
from generator.pages.notebook import _cells, notebook
from generator.pages.notebook_links import opened
from generator.text.guard import as_text, guard
from generator.text.strings import Words
from generator.view.edition import Edition
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang
    from generator.view.library import Library

CELLS = ["install", "failure", "measurement", "fix", "verdict"]


def read(library: Library, slug: str, lang: Lang = "en") -> Any:
    made = json.loads(notebook(Edition(library, lang).views[slug], LOCAL_SITE))
    nbformat.validate(made)
    return made


def prose(made: Any) -> str:
    return "\n\n".join("".join(one["source"]) for one in made["cells"])


def compiles(code: str) -> bool:
    """Tell whether IPython takes a cell, with its magics."""
    try:
        python = TransformerManager().transform_cell(code)  # type: ignore[no-untyped-call]
        compile(python, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("lang", LANGS)
def test_every_notebook_is_valid_and_has_run_nowhere(real_library: Library, lang: Lang) -> None:
    views = Edition(real_library, lang).views
    assert len(views) > 100
    for slug, view in views.items():
        made = json.loads(notebook(view, LOCAL_SITE))
        nbformat.validate(made)
        code = {one["id"]: one for one in made["cells"] if one["cell_type"] == "code"}
        # What raises nothing has no failure to run: the measurement shows it.
        raises = bool(list(view.of_kind("reproduce")))
        assert list(code) == [name for name in CELLS if raises or name != "failure"], slug
        assert len({one["id"] for one in made["cells"]}) == len(made["cells"])
        for cell in code.values():
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            assert compiles("".join(cell["source"])), (slug, cell)
        install = "".join(code["install"]["source"])
        assert wheel_address(LOCAL_SITE) in install
        assert not re.search(r"[=<>~]=", install), f"{slug}: a release is pinned"
        assert "--all" not in "".join("".join(one["source"]) for one in code.values()), slug
        assert not re.search("[\ue000-\uf8ff]", prose(made)), f"{slug}: a stand-in is left"


def test_a_cell_that_is_no_python_is_told() -> None:
    assert compiles("%pip install x\n!{fixbook} run a")
    assert not compiles("import = 3")


def test_code_is_that_of_the_files(real_library: Library) -> None:
    slug = "nan-loss-fp16"
    said = prose(read(real_library, slug))
    folder = real_library.book.get(slug).folder
    assert (folder / "failure.py").read_text("utf-8").strip() in said
    fix = real_library.dossiers[slug].entry.fixes[0]
    assert as_text(fix.title.of("en")) in said


def test_a_notebook_is_the_same_every_time(library: Library) -> None:
    view = Edition(library, "zh").views[SLUG]
    assert notebook(view, LOCAL_SITE) == notebook(view, LOCAL_SITE)


def test_a_text_of_the_book_becomes_no_cell() -> None:
    hostile = guard("```{code-cell} evil\n!rm -r .\n```")
    (cell,) = _cells(hostile)
    assert cell["cell_type"] == "markdown"


def test_its_page_opens_it_where_the_repository_is_served(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Edition(library, "zh").views[SLUG]
    where = f"acme/book/blob/notebooks/zh/{SLUG}/notebook.ipynb"
    monkeypatch.setenv(REPOSITORY_VARIABLE, "https://github.com/acme/book")
    page = as_text(article(view, library).text)
    assert f"](https://colab.research.google.com/github/{where})" in page
    assert f"](https://www.kaggle.com/kernels/welcome?src=https://github.com/{where})" in page
    for elsewhere in ("https://example.org/acme/book", ""):
        monkeypatch.setenv(REPOSITORY_VARIABLE, elsewhere)
        assert opened(SLUG, Words("en"), library.book.root) == []
        assert "fb-open" not in article(view, library).text


def test_it_is_offered_beside_the_evidence(small_site: Path) -> None:
    for lang in LANGS:
        made = nbformat.read(small_site / lang / SLUG / "notebook.ipynb", as_version=4)  # type: ignore[no-untyped-call]
        assert [one.id for one in made.cells if one.cell_type == "code"] == CELLS
        page = (small_site / lang / SLUG / "evidence/index.html").read_text("utf-8")
        assert 'href="../notebook.ipynb"' in page


def test_notebooks_go_to_a_branch_of_their_own(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    site, remote, clone = tmp_path / "site", tmp_path / "remote", tmp_path / "clone"
    for name in ("zh/a", "en/a"):
        (site / name).mkdir(parents=True)
        (site / name / "notebook.ipynb").write_text("{}", "utf-8")
        (site / name / "index.html").touch()
    git("init", "--quiet", "--bare", str(remote))
    git("init", "--quiet", str(clone))
    script = book_root() / "scripts/publish-notebooks"
    command = [str(script), str(site), str(remote)]
    for _again in range(2):
        subprocess.run(command, cwd=clone, check=True, capture_output=True)
    there = git("-C", str(remote), "ls-tree", "-r", "--name-only", "notebooks").split()
    assert there == ["en/a/notebook.ipynb", "zh/a/notebook.ipynb"]
    assert git("-C", str(remote), "rev-list", "--count", "notebooks").strip() == "1"
    assert git("-C", str(clone), "status", "--porcelain") == ""
    empty = subprocess.run([*command[:1], str(clone), command[2]], cwd=clone, check=False)
    assert empty.returncode != 0, "a site without notebooks would empty the branch"
