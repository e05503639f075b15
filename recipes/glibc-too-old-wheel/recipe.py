"""A wheel wants a newer C library than this machine has; pip sees it by the wheel's name alone."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "setuptools==84.2.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from failure import build
from proof_index import NEWER, pip, prepare, publish_source, use

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

NEWEST, OLDER = "attention==2.8.2", "attention==2.7.4"
NEWER_TAG, OLDER_TAG = "manylinux_2_96", "manylinux_2_17"


def look() -> dict[str, Any]:
    """Put the page's question to what is installed, without importing it."""
    sys.path.insert(0, str(Path("site").absolute()))
    seen = snippet("needs")
    needs, has = seen["needs"]("attention_cuda"), seen["has"]
    return {"found": needs > has, "needs": ".".join(map(str, needs))}


def run(*, release: str = NEWEST, tag: str = "linux", source: bool = False) -> dict[str, Any]:
    """Install a release with pip, and import it."""
    prepare(tag)
    publish_source()
    pip("--no-binary" if source else "--only-binary", "attention", "--no-build-isolation", release)
    measure(**look())
    return use()


def by_path(*, named: str = NEWER_TAG) -> dict[str, Any]:
    """Install the file of a wheel under a name, and import it."""
    file = prepare(NEWER_TAG)
    pip(shutil.move(file, file.replace(NEWER_TAG, named)))
    return use()


@reproduce(programs=["cc"])
def import_refused() -> dict[str, Any]:
    """The name of the wheel says nothing of glibc."""
    return run()


@reproduce(programs=["cc"])
def pip_finds_none() -> dict[str, Any]:
    """The name of the wheel says which glibc it is for."""
    return run(tag=NEWER_TAG)


@reproduce(programs=["cc"])
def pip_refuses_the_file() -> dict[str, Any]:
    """The same wheel, given as a file."""
    return by_path()


@fix("older-glibc", control="import-refused", programs=["cc"])
def older_build() -> dict[str, Any]:
    """A release that was built on an older system."""
    return run(release=OLDER)


@fix("build-here", control="import-refused", programs=["cc"])
def built_here() -> dict[str, Any]:
    """The same release, compiled on this machine."""
    return run(source=True)


@non_fix("rename", control="pip-refuses-the-file", programs=["cc"])
def renamed() -> dict[str, Any]:
    """The name is for pip, and the file for the loader."""
    return by_path(named=OLDER_TAG)


def looked(glibc: str = "") -> dict[str, Any]:
    """Look at an extension that was compiled for that glibc."""
    Path("site").mkdir()
    Path("site", "attention_cuda.so").write_bytes(build(glibc))
    return look()


@detect(found=True, programs=["cc"])
def looked_at_the_newer() -> dict[str, Any]:
    """It wants more than there is."""
    return looked(NEWER)


@detect(found=False, control="looked-at-the-newer", programs=["cc"])
def looked_at_the_older() -> dict[str, Any]:
    """It wants what there is."""
    return looked()


def unpinned(tag: str) -> dict[str, Any]:
    """Name no release, and let the page's line say which it became."""
    prepare(tag, older=OLDER_TAG)
    pip("attention")
    sys.path.insert(0, str(Path("site").absolute()))
    try:
        snippet("release")
    except AssertionError as error:
        return {"found": True, "installed": str(error)}
    return {"found": False, "installed": "2.8.2"}


@detect(found=True, programs=["cc"])
def older_release_taken() -> dict[str, Any]:
    """The newest is passed over without a word."""
    return unpinned(NEWER_TAG)


@detect(found=False, control="older-release-taken", programs=["cc"])
def newest_release_taken() -> dict[str, Any]:
    """Its name admits this machine."""
    return unpinned(OLDER_TAG)


if __name__ == "__main__":
    main(__file__)
