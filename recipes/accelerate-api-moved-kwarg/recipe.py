"""Arguments and names that the installed accelerate does not have any more, or not yet."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_folders  # noqa: F401
import proof_releases  # noqa: F401
from proof_names import checked, logged, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "an older accelerate beside the main one, imported anew"


@reproduce(ranks=2)
def given_to_the_accelerator() -> dict[str, Any]:
    """A script of one's own, of 2024."""
    return run("accelerator")


@fix("own-code", control="given-to-the-accelerator", ranks=2)
def given_to_the_config() -> dict[str, Any]:
    """The same option where it belongs."""
    return run("config")


@fix("own-code", control="given-to-the-accelerator", ranks=2)
def as_printed() -> dict[str, Any]:
    """The page's code as it is printed."""
    return run("as-printed")


@reproduce()
def logging_dir_given() -> dict[str, Any]:
    """A script of one's own, of 2023."""
    return logged("logging_dir")


@fix("own-code", control="logging-dir-given")
def project_dir_given() -> dict[str, Any]:
    """Today's name."""
    return logged("project_dir")


@non_fix(
    "any-older",
    control="logging-dir-given",
    versions=["accelerate==0.27.2"],
    record_once=ONCE,
)
def logging_dir_on_0_27() -> dict[str, Any]:
    """A release that is older, and not old enough."""
    return logged("logging_dir")


@detect(found=True)
def old_argument() -> dict[str, Any]:
    """An argument that is gone."""
    return checked("dispatch_batches")


@detect(found=False, control="old-argument")
def new_argument() -> dict[str, Any]:
    """One that is there."""
    return checked("dataloader_config")


@detect(found=True, ranks=2)
def deleted() -> dict[str, Any]:
    """The option deleted: it runs, and reads rows twice."""
    return run("nowhere")


@detect(found=False, control="deleted", ranks=2)
def kept() -> dict[str, Any]:
    """The option kept, in the configuration."""
    return run("config")


if __name__ == "__main__":
    main(__file__)
