"""adapter_config.json holds a key that the release that loads it does not know."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_file import NAMED, by_hand, compare, needs_more, run, write_again

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# What these steps say of the file is said of what this release writes.
NEW = ["peft>=0.21"]

STACK = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "an older PEFT beside the main one, imported anew"


@reproduce(versions=["peft==0.13.2", *STACK], record_once=ONCE)
def unknown_key() -> dict[str, Any]:
    """The last release that raises, and a file of PEFT 0.21.2."""
    return run()


@reproduce()
def made_by_hand() -> dict[str, Any]:
    """Today's release still raises where the file goes into LoraConfig as it is."""
    return by_hand()


@fix("upgrade", control="unknown-key", versions=["peft==0.14.0", *STACK], record_once=ONCE)
def upgraded_to_0_14() -> dict[str, Any]:
    """The first release that warns and goes on."""
    return run()


@fix("upgrade", control="unknown-key")
def upgraded_to_today() -> dict[str, Any]:
    """The release that wrote the file."""
    return run()


@fix("trim", control="unknown-key", versions=["peft==0.13.2", *STACK], record_once=ONCE)
def trimmed() -> dict[str, Any]:
    """Keys that are off go, all at once."""
    return run(trimmed=True)


@fix("let-peft-read-it", control="made-by-hand")
def read_by_peft() -> dict[str, Any]:
    """from_pretrained drops what the class does not know, and warns."""
    return by_hand(by_peft=True)


@non_fix("key-by-key", control="unknown-key", versions=["peft==0.13.2", *STACK], record_once=ONCE)
def three_keys_deleted() -> dict[str, Any]:
    """Python names one key at a time."""
    return run(delete=NAMED)


@reproduce(versions=["peft==0.6.2", *STACK], record_once=ONCE)
def unknown_rslora() -> dict[str, Any]:
    """A release from before rsLoRA, and a file that has it on."""
    return run(rslora=True)


@non_fix("delete-all", control="unknown-rslora", versions=["peft==0.6.2", *STACK], record_once=ONCE)
def all_deleted() -> dict[str, Any]:
    """Whatever raises is deleted until nothing does, and rsLoRA is gone with it."""
    return run(rslora=True, delete_all=True)


@fix("upgrade", control="unknown-rslora")
def kept_today() -> dict[str, Any]:
    """The release that wrote the file does what it says."""
    return run(rslora=True)


@detect(found=True, versions=["peft==0.13.2", *STACK], record_once=ONCE)
def older_than_the_file() -> dict[str, Any]:
    """A later release wrote the file."""
    return compare()


@detect(found=False, control="older-than-the-file", needs=NEW)
def as_new_as_the_file() -> dict[str, Any]:
    """The release that wrote the file."""
    return compare()


@detect(found=True, versions=["peft==0.6.2", *STACK], record_once=ONCE)
def rslora_is_not_trimmed() -> dict[str, Any]:
    """One of the unknown keys is on."""
    return needs_more(rslora=True)


@detect(
    found=False,
    control="rslora-is-not-trimmed",
    versions=["peft==0.6.2", *STACK],
    record_once=ONCE,
)
def plain_is_trimmed() -> dict[str, Any]:
    """None is."""
    return needs_more(rslora=False)


@detect(
    found=False,
    control="rslora-is-not-trimmed",
    versions=["peft==0.14.0", *STACK],
    record_once=ONCE,
)
def rslora_after_the_upgrade() -> dict[str, Any]:
    """The release that one is sent to knows the key, and trim lets the file pass."""
    return needs_more(rslora=True)


@detect(found=True, needs=NEW)
def file_of_today() -> dict[str, Any]:
    """What the steps load is what PEFT 0.21.2 writes."""
    return write_again()


if __name__ == "__main__":
    main(__file__)
