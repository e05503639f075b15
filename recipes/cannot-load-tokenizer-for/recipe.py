"""Can't load tokenizer for a name: no folder of it has the files, and neither has the cache."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface-hub==2.4.0", "pillow==13.0.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import transformers
from failure import (
    below_a_folder,
    beside_a_folder,
    from_a_checkpoint,
    gguf_alone,
    images,
    load,
)

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
OFFLINE = {"HF_HUB_OFFLINE": "1"}
SINCE_5 = ["transformers>=5"]  # loads a tokenizer without files, where 4 raises
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(versions=OLD, env=OFFLINE, record_once=ONCE)
def not_downloaded() -> dict[str, Any]:
    """The Hub is not asked, and the cache is empty."""
    return load()


@reproduce(versions=OLD, env=OFFLINE, record_once=ONCE)
def folder_of_that_name() -> dict[str, Any]:
    """An empty folder of that name hides what the cache has."""
    return beside_a_folder()


@reproduce(versions=OLD, env=OFFLINE, record_once=ONCE)
def checkpoint_without() -> dict[str, Any]:
    """The folder has no file of a tokenizer."""
    return from_a_checkpoint()


@reproduce(versions=OLD, env=OFFLINE, record_once=ONCE)
def gguf_without() -> dict[str, Any]:
    """The repository has weights alone."""
    return gguf_alone()


@reproduce(env=OFFLINE)
def no_image_processor() -> dict[str, Any]:
    """The same words for images, on today's release."""
    return images()


@fix("folder", control="not-downloaded", versions=OLD, env=OFFLINE, record_once=ONCE)
def folder_given() -> dict[str, Any]:
    """Its files were copied to this machine."""
    return load(mend="folder")


@fix("rename", control="folder-of-that-name", versions=OLD, env=OFFLINE, record_once=ONCE)
def folder_renamed() -> dict[str, Any]:
    """The folder has another name."""
    return beside_a_folder("rename")


@fix("save", control="checkpoint-without", versions=OLD, env=OFFLINE, record_once=ONCE)
def checkpoint_with() -> dict[str, Any]:
    """The base model's tokenizer is saved there."""
    return from_a_checkpoint("save")


@fix("base", control="gguf-without", versions=OLD, env=OFFLINE, record_once=ONCE)
def base_asked() -> dict[str, Any]:
    """The tokenizer of the model before conversion."""
    return gguf_alone("base")


@fix("image", control="no-image-processor", env=OFFLINE)
def image_processor_saved() -> dict[str, Any]:
    """The base model's processor is saved there."""
    return images("image")


@non_fix("upgrade", control="not-downloaded", env=OFFLINE, needs=SINCE_5)
def on_a_newer_release() -> dict[str, Any]:
    """No error, and no word that it knows."""
    measure(major=int(transformers.__version__.partition(".")[0]))
    return load()


@detect(found=True, env=OFFLINE, needs=SINCE_5)
def nothing_there() -> dict[str, Any]:
    """Loaded without an error, on today's release."""
    return load()


@detect(found=False, env=OFFLINE)
def below_another() -> dict[str, Any]:
    """The tokenizer lies in a folder below."""
    return below_a_folder()


@detect(found=False, control="nothing-there", env=OFFLINE, needs=SINCE_5)
def in_the_cache() -> dict[str, Any]:
    """All of it is in the cache."""
    return load(cached=True)


if __name__ == "__main__":
    main(__file__)
