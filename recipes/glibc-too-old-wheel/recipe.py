"""A wheel wants a newer C library than this machine has; pip sees it by the wheel's name alone."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "setuptools==84.2.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_index import NEWER, NEWER_TAG, OLDER_TAG, by_name, by_path, looked, run, unpinned

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(programs=["cc"])
def import_refused() -> dict[str, Any]:
    """Pip builds from source, and setup.py takes a wheel that was compiled on a newer system."""
    return run("build", forced=False)


@reproduce(programs=["cc"])
def pip_finds_none() -> dict[str, Any]:
    """The name of the wheel says which glibc it is for."""
    return by_name()


@reproduce(programs=["cc"])
def pip_refuses_the_file() -> dict[str, Any]:
    """The same wheel, given as a file."""
    return by_path()


@detect(found=True, programs=["cc"])
def looked_at_the_newer() -> dict[str, Any]:
    """It wants more than there is."""
    return looked(NEWER)


@detect(found=False, control="looked-at-the-newer", programs=["cc"])
def looked_at_the_older() -> dict[str, Any]:
    """It wants what there is."""
    return looked()


@fix("build-here", control="import-refused", programs=["cc"])
def built_here() -> dict[str, Any]:
    """The same release, compiled on this machine."""
    return run("build")


@fix("older-glibc", control="import-refused", programs=["cc"])
def older_build() -> dict[str, Any]:
    """A release whose wheel was compiled on an older system."""
    return run("older", forced=False)


@non_fix("rename", control="pip-refuses-the-file", programs=["cc"])
def renamed() -> dict[str, Any]:
    """The name is for pip, and the file for the loader."""
    return by_path(named=OLDER_TAG)


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
