"""While an entry is written, the site is built again and pages that show it reload."""

from __future__ import annotations

import json
import threading
import urllib.request
from typing import TYPE_CHECKING

from generator.site.server import CHANGES, LIVE, server
from generator.site.watch import Changes, replace_folder, watch
from tests.site.small_book import write_book
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from pathlib import Path

_LONG_S = 30.0


def test_a_change_of_the_book_is_noticed_and_a_reading_is_not(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    entry = root / "recipes" / SLUG / "entry.yaml"
    built = Changes()
    seen: set[Path] = set()

    def note(changed: set[Path]) -> None:
        seen.update(changed)
        built.tell()

    end = watch(root, note)
    try:
        entry.read_text("utf-8")
        (root / "recipes" / SLUG / ".entry.yaml.swp").write_text("an editor's own", "utf-8")
        assert built.after(0, 1.5) == (0, "")
        entry.write_text(entry.read_text("utf-8") + "\n", "utf-8")
        assert built.after(0, _LONG_S) == (1, "")
        assert seen == {entry.resolve()}
        (root / "symptoms" / "new.yaml").write_text("title: x\n", "utf-8")
        assert built.after(1, _LONG_S) == (2, "")
    finally:
        end()


def _told(events: HTTPResponse) -> str:
    """Return the error of the next event; empty after a build that did not fail."""
    line = events.readline().decode()
    assert events.readline() == b"\n"
    return str(json.loads(line.removeprefix("data: ")))


def test_a_page_is_told_of_builds_and_of_errors(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>page</p>", "utf-8")
    changes = Changes()
    with server(tmp_path, 0, changes) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{listening.server_address[1]}"
        page = urllib.request.urlopen(address + "/").read().decode()  # noqa: S310
        assert page.startswith("<p>page</p>")
        changes_of_page = CHANGES.format(shown=0)
        assert f'<script src="{LIVE}" data-changes="{changes_of_page}"></script>' in page
        script = urllib.request.urlopen(address + LIVE).read().decode()  # noqa: S310
        assert "new EventSource(" in script
        early, *later = ("ended before the page listens", "", "entry.yaml:3: wrong\nmend it")
        changes.tell(early)
        with urllib.request.urlopen(address + changes_of_page) as events:  # noqa: S310
            assert _told(events) == early
            for error in later:
                changes.tell(error)
                assert _told(events) == error
        listening.shutdown()


def test_without_builds_a_page_is_served_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>page</p>", "utf-8")
    with server(tmp_path, 0) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{listening.server_address[1]}"
        assert urllib.request.urlopen(address + "/").read() == b"<p>page</p>"  # noqa: S310
        listening.shutdown()


def test_a_folder_takes_the_place_of_another(tmp_path: Path) -> None:
    old, new = tmp_path / "site", tmp_path / ".site-new"
    for folder in (old, new):
        folder.mkdir()
        (folder / folder.name).write_text("x", "utf-8")
    replace_folder(new, old)
    assert [path.name for path in old.iterdir()] == [".site-new"]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
