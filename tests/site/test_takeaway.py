"""What pages tell a reader to install and to load is served by the site itself."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from typing import TYPE_CHECKING

from fixbook.recipe.reading.header import metadata
from fixbook.site_address import LOCAL_SITE
from generator.exports.takeaway import folder_of
from generator.pages.article import evidence_of_entry
from generator.text.guard import as_text
from generator.view.edition import Edition
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from generator.view.library import Library

WHEEL = "https://example.org/wheels/fixbook-1-py3-none-any.whl"


def addresses(library: Library) -> list[str]:
    """Return what the blocks of commands on an evidence page name."""
    text = as_text(evidence_of_entry(Edition(library, "en").views[SLUG], library).text)
    return re.findall(rf"(?m)^(?:pip install|curl -fsSL) {LOCAL_SITE}/(\S+)", text)


def test_what_a_page_names_is_there(library: Library, small_site: Path) -> None:
    wheel, folder = addresses(library)
    with zipfile.ZipFile(small_site / wheel) as archive:
        assert "fixbook/__init__.py" in archive.namelist()
    with tarfile.open(small_site / folder) as archive:
        recipe = archive.extractfile(f"{SLUG}/recipe.py")
        assert recipe
        found = metadata(recipe.read().decode()) or {}
    assert found["dependencies"][0] == f"fixbook @ {LOCAL_SITE}/{wheel}"


def test_a_folder_is_whole_and_the_same_every_time(library: Library) -> None:
    item = library.book.get(SLUG)
    packed = folder_of(item, WHEEL)
    assert folder_of(item, WHEEL) == packed
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        names = {one.name.removeprefix(f"{SLUG}/") for one in archive}
        assert all(one.isfile() and one.name.startswith(f"{SLUG}/") for one in archive)
        recipe = archive.extractfile(f"{SLUG}/recipe.py")
        assert recipe
        assert recipe.read().decode().count("\nimport fixbook.recipe.alone  #") == 1
    assert {"entry.yaml", "recipe.py", "evidence/cpu.json", "configs/after.yaml"} <= names
