"""nvidia-nccl-cu12 and nvidia-nccl-cu13 own one file: the later one wins, and leaves nothing."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_packages import attempt

from fixbook.recipe import detect, fix, main, non_fix, reproduce

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc"],
    "record_once": "NCCL is a download of 200 MB, and the other package one of 320 MB",
}


@reproduce(**NCCL)
def cu12_installed_last() -> dict[str, Any]:
    """The package of torch, and after it the one that another library wants."""
    return attempt()


@non_fix("uninstall-alone", control="cu12-installed-last", **NCCL)
def cu12_uninstalled() -> dict[str, Any]:
    """The other package is uninstalled."""
    return attempt("uninstalled")


@non_fix("install-again", control="cu12-installed-last", **NCCL)
def cu13_installed_again() -> dict[str, Any]:
    """The other package is uninstalled, and that of torch installed again."""
    return attempt("uninstalled, installed again")


@non_fix("library-path", control="cu12-installed-last", **NCCL)
def newer_on_the_path() -> dict[str, Any]:
    """A folder with the newer library in LD_LIBRARY_PATH."""
    return attempt("path")


@fix("reinstall", control="cu12-installed-last", **NCCL)
def page_followed() -> dict[str, Any]:
    """The page's commands."""
    return attempt("page")


@detect(found=True, **NCCL)
def cu13_installed_last() -> dict[str, Any]:
    """The same two packages in the other order: it loads."""
    return attempt("other order")


@detect(found=False, control="cu13-installed-last", **NCCL)
def one_package() -> dict[str, Any]:
    """The package of torch alone."""
    return attempt("alone")


if __name__ == "__main__":
    main(__file__)
