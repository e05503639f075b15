"""With uv alone, every recipe finds what it needs, and runs as its page prints it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fixbook.environment import installed_version
from fixbook.files import cache_folder
from fixbook.recipe.reading.header import metadata
from generator.exports.takeaway import write_takeaway
from generator.pages.article import evidence_of_entry
from generator.text.guard import as_text
from generator.view.edition import Edition
from generator.view.library import Library, dossier_of
from tests.real_book import real_book
from tests.site.conftest import served

# Without an overlay and short: one needs no library, one torch, one Transformers and what it needs.
RUN = (
    "nvjitlink-undefined-symbol",
    "extension-build-lock-hangs",
    "collator-unable-to-create-tensor",
)
_RESOLVE_S, _RUN_S = 120, 1800  # ends what hangs; nothing is measured
_AT_ONCE = 8  # they wait for an index

Uv = dict[str, str]  # the environment of a program that may call uv


def find_links() -> str:
    """Return the folders in which pip looks for wheels here; uv does not ask pip."""
    asked = [sys.executable, "-m", "pip", "config", "list"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = [
        line.partition("=")[2].strip("'\"") for line in said.splitlines() if "find-links" in line
    ]
    return ",".join(" ".join(found).split())


@pytest.fixture(scope="module")
def uv() -> Uv:
    """Return an environment in which uv runs and reaches an index; skip where there is none."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    if shutil.which("uv", path=path) is None:
        pytest.skip("uv is not installed: pip install uv")
    folder = cache_folder() / "uv"
    env = os.environ | {"PATH": path, "UV_CACHE_DIR": str(folder), "UV_NO_PROGRESS": "1"}
    env.setdefault("UV_FIND_LINKS", find_links())
    probe = ["uv", "pip", "compile", "--quiet", "-"]
    try:
        asked = subprocess.run(
            probe, input="click", env=env, capture_output=True, text=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("no package index answers within a minute")
    if asked.returncode != 0:
        pytest.skip(f"no package index can be reached: {asked.stderr.strip().splitlines()[-1:]}")
    return env


def test_every_header_can_be_resolved(uv: Uv) -> None:
    paths = [item.recipe for item in real_book().entries.values()]
    by_header = {str(metadata(path.read_text("utf-8"))): path for path in paths}

    def said_of(path: Path) -> str:
        command = ["uv", "export", "--quiet", "--no-hashes", "--script", str(path)]
        done = subprocess.run(
            command, env=uv, capture_output=True, text=True, timeout=_RESOLVE_S, check=False
        )
        resolved = done.returncode == 0 and "\n-e " in f"\n{done.stdout}"
        return "" if resolved else f"{path.parent.name}: {done.returncode} {done.stderr.strip()}"

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        failures = [said for said in pool.map(said_of, by_header.values()) if said]
    assert failures == []
    assert len(by_header) > 20


@pytest.fixture(scope="module")
def small_torch(uv: Uv) -> None:
    """Skip where uv would load another build of torch than the one that is installed here."""
    version = installed_version("torch") or ""
    folders = [Path(name) for name in uv["UV_FIND_LINKS"].split(",") if name]
    here = [one for folder in folders for one in folder.glob(f"torch-{version}-*.whl")]
    if "+" in version and not here:
        pytest.skip(f"torch {version} is in no folder of wheels; uv would load the largest build")


@pytest.mark.usefixtures("small_torch", "wheel_at_hand")
@pytest.mark.parametrize("slug", RUN)
def test_a_recipe_runs_as_its_page_prints_it(slug: str, uv: Uv, tmp_path: Path) -> None:
    book = real_book()
    library = Library(book, {slug: dossier_of(book.get(slug), book)})
    site, reader = tmp_path / "site", tmp_path / "reader"
    site.mkdir()
    reader.mkdir()
    with served(site) as address:
        write_takeaway(library, site, address)
        edition = Edition(library, "en", address)
        page = as_text(evidence_of_entry(edition.views[slug], edition.library, edition.site).text)
        (printed,) = re.findall(r"(?ms)^```\{ \.bash \}\n(curl .*?)^```$", page)
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", printed],
            cwd=reader,
            env=uv | {"no_proxy": "127.0.0.1"},
            capture_output=True,
            text=True,
            timeout=_RUN_S,
            check=False,
        )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert sorted(path.name for path in reader.iterdir()) == [slug]
