"""torch.load puts each tensor back on the device that it was saved on, if there is one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_load import attempt, look

from fixbook.recipe import detect, fix, main, reproduce


@reproduce()
def saved_on_the_second_gpu() -> dict[str, Any]:
    """The file names a device that this machine lacks."""
    return attempt()


@reproduce()
def asked_for_the_second_gpu() -> dict[str, Any]:
    """The file would do, and map_location names the device."""
    return attempt("cuda:0", map_location="cuda:1")


@fix("cpu", control="saved-on-the-second-gpu")
def onto_the_cpu() -> dict[str, Any]:
    """The lines of the page."""
    return attempt(printed="cpu")


@fix("cpu", control="asked-for-the-second-gpu")
def onto_the_cpu_instead() -> dict[str, Any]:
    """Another map_location."""
    return attempt("cuda:0", map_location="cpu")


@fix("rewrite", control="saved-on-the-second-gpu")
def written_again() -> dict[str, Any]:
    """The page's line, and then a load without arguments."""
    return attempt(rewritten=True)


@fix("by-key", control="saved-on-the-second-gpu")
def mapped_by_its_key() -> dict[str, Any]:
    """The key is the device that the file names."""
    return attempt(map_location={"cuda:1": "cpu"})


@reproduce()
def mapped_by_another_key() -> dict[str, Any]:
    """The key is the device that is wanted."""
    return attempt(map_location={"cuda:0": "cpu"})


@detect(found=True)
def names_the_second_gpu() -> dict[str, Any]:
    """The file names a device that is not there."""
    return look("cuda:1")


@detect(found=False, control="names-the-second-gpu")
def names_the_first_gpu() -> dict[str, Any]:
    """The file names one that is."""
    return look("cuda:0")


@detect(found=False)
def names_the_cpu() -> dict[str, Any]:
    """The file names none."""
    return look("cpu")


if __name__ == "__main__":
    main(__file__)
