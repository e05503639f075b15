"""ModelScope's client hashes what it downloaded, and that is not the file."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "requests==2.34.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
import shutil
from pathlib import Path
from typing import Any

from failure import download
from proof_site import CONTENT, LOGIN, leave_a_part, site

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text

OLD: dict[str, Any] = {"versions": ["modelscope==1.30.0"]}
NO_ERROR: dict[str, Any] = {"versions": ["modelscope==1.35.0"]}
RETRIES: dict[str, Any] = {"versions": ["modelscope==1.37.0"]}
NEW: dict[str, Any] = {"versions": ["modelscope==1.40.2", "modelscope-hub==0.5.1"]}


def directly() -> None:
    """Unset what the page unsets."""
    for name in snippet_text("direct").split()[1:]:
        os.environ.pop(name, None)


def attempt() -> None:
    """Try once, print nothing, and go on after the error."""
    kept = os.dup(1), os.dup(2)
    with Path(os.devnull).open("w") as nowhere, contextlib.suppress(Exception):
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        download()
    for number, copy in enumerate(kept, 1):
        os.dup2(copy, number)


def cut_off() -> dict[str, Any]:
    """Download, lose the rest of the file, and download again: what is there then?"""
    with site():
        download()
        file = next(Path("cache").rglob("model.bin"))
        file.write_bytes(CONTENT[:1000])
        size = download()["size"]
    return {"found": size != len(CONTENT), "size": size}


def ask() -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("asks")
    said = printed.getvalue().strip()
    return {"found": said.split()[1] != str(len(CONTENT)), "said": said}


@reproduce(**OLD)
def empty_answer() -> dict[str, int]:
    """A proxy answers 200 and nothing."""
    with site(b""):
        return download()


@reproduce(**OLD)
def page_answered() -> dict[str, int]:
    """A proxy answers with a page."""
    with site(LOGIN):
        return download()


@fix("direct", control="empty-answer", **OLD)
def without_the_proxy() -> dict[str, int]:
    """The same, past the proxy."""
    with site(b""):
        directly()
        return download()


@reproduce(**OLD)
def part_left() -> dict[str, int]:
    """An attempt was ended, and the file on the site is another now."""
    leave_a_part()
    with site():
        return download()


@fix("again", control="part-left", **OLD)
def second_attempt() -> dict[str, int]:
    """The first has deleted the file that was wrong."""
    leave_a_part()
    with site():
        attempt()
        return download()


@fix("newer", control="part-left", **NEW)
def part_left_newer() -> dict[str, int]:
    """The later client does not go on after that part."""
    leave_a_part()
    with site():
        return download()


@reproduce(**NO_ERROR)
def moved_all_the_same() -> dict[str, int]:
    """A release that logs the hash, raises nothing, and moves the file that it has deleted."""
    with site(b""):
        return download()


@reproduce(**RETRIES)
def three_attempts() -> dict[str, int]:
    """A release that downloads three times by itself."""
    with site(b""):
        return download()


@reproduce(**NEW)
def empty_answer_newer() -> dict[str, int]:
    """What the later client says of an empty answer."""
    with site(b""):
        return download()


@fix("direct", control="empty-answer-newer", **NEW)
def without_the_proxy_newer() -> dict[str, int]:
    """The same, past the proxy."""
    with site(b""):
        directly()
        return download()


@non_fix("delete-temp", control="empty-answer", **OLD)
def folder_deleted() -> dict[str, int]:
    """The folder is deleted, and the download begins anew."""
    with site(b""):
        attempt()
        folder = Path("cache/models/._____temp")
        shutil.rmtree(folder)
        measure(deleted=not folder.exists())
        return download()


@detect(found=True, **OLD)
def asks_through_the_proxy() -> dict[str, Any]:
    """The proxy answers nothing."""
    with site(b""):
        return ask()


@detect(found=False, control="asks-through-the-proxy", **OLD)
def asks_past_it() -> dict[str, Any]:
    """The site answers."""
    with site(b""):
        directly()
        return ask()


@detect(found=True, **OLD)
def cut_off_later() -> dict[str, Any]:
    """A file that is there is not hashed again."""
    return cut_off()


@detect(found=False, control="cut-off-later", **NEW)
def cut_off_later_newer() -> dict[str, Any]:
    """The later client looks at its size."""
    return cut_off()


if __name__ == "__main__":
    main(__file__)
