"""The wheel carries the book compiled: no installation reads four hundred files to answer a log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fixbook.article.shelf import PAGES, ready_pages
from fixbook.book import load_entry
from fixbook.index.cache import INDEX, RULES, rules_of
from fixbook.laid_out import rows_of
from fixbook.packed import unpack
from fixbook.recipe.record import load_evidence
from fixbook.text import LANGS
from tests.real_book import real_book, real_rows

ROOT = Path(__file__).parents[1]
# Of the whole wheel, which grows with the book: its own code is counted with the entries.
MOST_BYTES_AN_ENTRY = 30_000
MOST_BYTES_A_MESSAGE = 4_800
ASK = """
import sys
from fixbook.cli import cli, run_command
code = run_command(cli, sys.argv[1:])
print({"yaml", "pydantic"} & sys.modules.keys(), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel, as an installation does."""
    folder = tmp_path_factory.mktemp("wheel")
    most = MOST_BYTES_AN_ENTRY * len(list(ROOT.glob("recipes/*/entry.yaml")))
    most += MOST_BYTES_A_MESSAGE * len(list(ROOT.glob("symptoms/*.yaml")))
    assert wheel.stat().st_size <= most, "what is large in it: `unzip -lv`"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_the_wheel_carries_the_book_compiled(installed: Path) -> None:
    for name, rows in ((INDEX, real_rows()), (RULES, rules_of(real_book()))):
        carried = rows_of((installed / "fixbook/_book" / name).read_bytes())
        assert {key: carried[key] for key in rows} == json.loads(json.dumps(rows))
        assert carried.keys() == rows.keys()


def test_what_the_wheel_packs_is_all_there(installed: Path) -> None:
    """Pages and records, each in one file, as a checkout has them."""
    book, carried = real_book(), installed / "fixbook/_book"
    for lang in LANGS:
        assert unpack(carried / PAGES.format(lang=lang)) == ready_pages(book, lang)
    assert not list(carried.glob("recipes/*/evidence/*.json"))
    for slug in list(book.entries)[::11]:
        there = load_entry(carried / "recipes" / slug)
        assert load_evidence(there) == load_evidence(book.entries[slug])
        assert load_evidence(there), slug


def test_an_installation_answers_a_log_without_reading_the_book(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    log = tmp_path / "train.log"
    log.write_text("ValueError: Asking to pad but the tokenizer does not have a padding token.\n")
    env = os.environ | {
        "PYTHONPATH": str(installed),
        "XDG_CACHE_HOME": str(tmp_path / "file"),  # where nothing can be written
    }
    env.pop("FIXBOOK_BOOK", None)
    command = [sys.executable, "-c", ASK, "diagnose", str(log)]
    done = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "tokenizer-pad-missing" in done.stdout
    assert done.stderr.strip().endswith("set()"), "the index alone was read"
