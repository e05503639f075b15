"""A path that is no folder here is taken for a repository of the Hub, and is no valid name."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import huggingface_hub
from failure import CHECKPOINT, load, save, weight
from huggingface_hub import hf_hub_download

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
OFFLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "1"}


def attempt(path: str, saved: str = "", *, checked: bool = False) -> dict[str, Any]:
    """Load a model by its path; ``saved`` is where it lies, ``checked`` runs the page's code."""
    os.environ["HOME"] = str(Path.cwd())
    mine = weight(load(str(save(saved)))) if saved else 0.0
    if checked:
        path = snippet("local")["local_folder"](path)
    measure(absolute=Path(path).is_absolute(), offline=huggingface_hub.constants.HF_HUB_OFFLINE)
    return {"found": weight(load(path)) != mine}


def read_config(*, by_hub: bool = True) -> dict[str, Any]:
    """Read a file of a folder that is there."""
    folder = save(CHECKPOINT)
    path = hf_hub_download(str(folder), "config.json") if by_hub else folder / "config.json"
    return {"bytes": Path(path).stat().st_size}


@reproduce(env=ONLINE)
def no_such_folder() -> dict[str, Any]:
    """A checkpoint that is not there."""
    return attempt(CHECKPOINT)


@reproduce(env=ONLINE)
def a_tilde() -> dict[str, Any]:
    """The folder is there, and the tilde is none of the shell's."""
    return attempt("~/models/mine", "models/mine")


@reproduce(env=ONLINE)
def a_dot() -> dict[str, Any]:
    """One slash, and a dot in front."""
    return attempt("./checkpoint-500")


@reproduce(env=ONLINE)
def two_dashes() -> dict[str, Any]:
    """One slash, and two dashes in the name."""
    return attempt("outputs/lr--1e-4")


@reproduce(env=ONLINE)
def a_function_of_the_hub() -> dict[str, Any]:
    """The folder is there, and the function takes names alone."""
    return read_config()


@fix("put-it-there", control="no-such-folder", env=ONLINE)
def folder_there() -> dict[str, Any]:
    """The same path, with the checkpoint in it."""
    return attempt(CHECKPOINT, CHECKPOINT)


@fix("expand", control="a-tilde", env=ONLINE)
def tilde_expanded() -> dict[str, Any]:
    """The same path, through the page's code."""
    return attempt("~/models/mine", "models/mine", checked=True)


@fix("read-the-folder", control="a-function-of-the-hub", env=ONLINE)
def file_of_the_folder() -> dict[str, Any]:
    """The file is opened where it lies."""
    return read_config(by_hub=False)


@non_fix("offline", control="no-such-folder", env=OFFLINE)
def told_to_stay_offline() -> dict[str, Any]:
    """No name is valid offline that is not online."""
    return attempt(CHECKPOINT)


@non_fix("absolute", control="no-such-folder", env=ONLINE)
def made_absolute() -> dict[str, Any]:
    """From the root down, there is no folder either."""
    return attempt(str(Path(CHECKPOINT).absolute()))


if __name__ == "__main__":
    main(__file__)
