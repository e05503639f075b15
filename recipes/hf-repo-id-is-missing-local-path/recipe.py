"""A path that is no folder here is taken for a repository of the Hub, and is no valid name."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import CHECKPOINT
from proof_paths import adapt, attempt, check_sound, elsewhere, read_config
from transformers import AutoConfig

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
OFFLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "1"}
ON_4_46 = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ON_4_57 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(env=ONLINE)
def no_such_folder() -> dict[str, Any]:
    """A checkpoint that is not there."""
    return attempt()


@reproduce(env=ONLINE)
def a_tilde() -> dict[str, Any]:
    """The folder is there, and the tilde is none of the shell's."""
    return attempt("~/models/mine", "models/mine")


@reproduce(env=ONLINE)
def a_weights_file() -> dict[str, Any]:
    """The file is there, and a folder is wanted."""
    return attempt(f"{CHECKPOINT}/model.safetensors", CHECKPOINT)


@fix("folder-of-the-file", control="a-weights-file", env=ONLINE)
def folder_of_that_file() -> dict[str, Any]:
    """The folder that it lies in."""
    return attempt(CHECKPOINT, CHECKPOINT)


@reproduce(env=ONLINE)
def a_dot() -> dict[str, Any]:
    """One slash, and a dot in front."""
    return attempt("./checkpoint-500")


@reproduce(env=ONLINE)
def two_dashes() -> dict[str, Any]:
    """One slash, and two dashes in the name."""
    return attempt("outputs/lr--1e-4")


@reproduce(env=ONLINE)
def adapter_further_down() -> dict[str, Any]:
    """The folder is there, and the adapter is in one of its folders."""
    return adapt()


@reproduce(env=ONLINE)
def a_function_of_the_hub() -> dict[str, Any]:
    """The folder is there, and the function takes names alone."""
    return read_config("hub")


@reproduce(env=ONLINE, versions=ON_4_57, record_once=ONCE)
def file_system_of_the_hub() -> dict[str, Any]:
    """The folder is there, and the Hub's file system of 0.36.0 takes names alone."""
    return read_config("filesystem")


@reproduce(versions=ON_4_46, record_once=ONCE)
def no_such_folder_on_4_46() -> dict[str, Any]:
    """It speaks of a model, and not of a repository."""
    return attempt()


@reproduce(versions=ON_4_57, record_once=ONCE)
def no_such_folder_on_4_57() -> dict[str, Any]:
    """The exception of the Hub's library comes through."""
    return attempt()


@reproduce(versions=ON_4_57, env=ONLINE, record_once=ONCE)
def configuration_on_4_57() -> Any:
    """The configuration alone; its own exception takes the place of the library's."""
    return AutoConfig.from_pretrained(CHECKPOINT)


@fix("put-it-there", control="no-such-folder", env=ONLINE)
def folder_there() -> dict[str, Any]:
    """The checkpoint lies there, and the page's lines load it."""
    return attempt(CHECKPOINT, CHECKPOINT, as_printed=True)


@fix("expand", control="a-tilde", env=ONLINE)
def tilde_expanded() -> dict[str, Any]:
    """The same path, through the page's lines."""
    return attempt("~/models/mine", "models/mine", as_printed=True)


@fix("adapter-folder", control="adapter-further-down", env=ONLINE)
def adapter_found() -> dict[str, Any]:
    """The folder that the page's line prints."""
    return adapt(searched=True)


@fix("read-the-folder", control="a-function-of-the-hub", env=ONLINE)
def file_of_the_folder() -> dict[str, Any]:
    """The file is opened where it lies."""
    return read_config("file")


@non_fix("offline", control="no-such-folder", env=OFFLINE)
def told_to_stay_offline() -> dict[str, Any]:
    """No name is valid offline that is not online."""
    return attempt()


@non_fix("offline", control="no-such-folder", env=ONLINE)
def local_files_alone() -> dict[str, Any]:
    """The option that asks for no network."""
    return attempt(local_files_only=True)


@non_fix("absolute", control="no-such-folder", env=ONLINE)
def made_absolute() -> dict[str, Any]:
    """From the root down, there is no folder either."""
    return attempt(str(Path(CHECKPOINT).absolute()))


@detect(found=True, env=ONLINE)
def short_path_elsewhere() -> dict[str, Any]:
    """One slash is a valid name, and the Hub has it."""
    return elsewhere("there")


@detect(found=False, control="short-path-elsewhere", env=ONLINE)
def short_path_here() -> dict[str, Any]:
    """The same path, where the folder is."""
    return elsewhere("here")


@detect(found=False, env=ONLINE)
def sound_folders() -> dict[str, Any]:
    """Folders that load, by paths of four kinds."""
    return check_sound()


if __name__ == "__main__":
    main(__file__)
