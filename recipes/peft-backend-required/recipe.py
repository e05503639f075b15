"""A LoRA that diffusers or transformers does not load, because peft is not usable there."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_peft import ask, diffusion, folder, language

from fixbook.recipe import detect, fix, main, non_fix, reproduce

DIFFUSERS = ["diffusers==0.42.1", "importlib_metadata==8.7.0", "zipp==3.23.0"]
OLD = [
    "diffusers==0.35.2",
    "importlib_metadata==8.7.0",
    "zipp==3.23.0",
    "transformers==4.53.3",
    "tokenizers==0.21.4",
    "huggingface_hub==0.36.2",
]
NEWER = ["transformers==5.24.0"]
ONCE = "another diffusers, transformers or peft, imported anew"


@reproduce(versions=DIFFUSERS, record_once=ONCE, start="cold")
def diffusers_without_peft() -> dict[str, Any]:
    """A LoRA for Stable Diffusion, and no peft."""
    return diffusion("missing")


@reproduce(versions=[*OLD, "peft==0.5.0"], record_once=ONCE)
def diffusers_and_an_old_peft() -> dict[str, Any]:
    """The peft is there, and too old."""
    return diffusion()


@reproduce(start="cold")
def asked_before_the_install() -> dict[str, Any]:
    """Transformers loaded a model before peft was installed."""
    return language("asked")


@reproduce(versions=["peft==0.18.1"], record_once=ONCE)
def transformers_and_an_old_peft() -> dict[str, Any]:
    """Transformers says which release it wants."""
    return language()


@reproduce(versions=NEWER, record_once=ONCE)
def transformers_ahead_of_peft() -> dict[str, Any]:
    """The peft that the book pins, and a transformers that asks for the next."""
    return language()


@detect(found=True, versions=DIFFUSERS, record_once=ONCE, start="cold")
def finds_no_peft() -> dict[str, Any]:
    """Nothing is installed where this Python looks."""
    return ask("missing, diffusers")


@detect(found=True, versions=[*OLD, "peft==0.5.0"], record_once=ONCE)
def finds_an_old_peft() -> dict[str, Any]:
    """Installed, and too old for diffusers."""
    return ask("diffusers")


@detect(found=True, start="cold")
def finds_the_kept_answer() -> dict[str, Any]:
    """Installed, after transformers had been asked."""
    return ask("asked")


@detect(found=False, control="finds-the-kept-answer", start="cold")
def accepts_an_install_before_the_question() -> dict[str, Any]:
    """Installed before transformers was asked."""
    return ask("installed")


@detect(found=False, control="finds-no-peft", versions=DIFFUSERS, record_once=ONCE)
def accepts_what_is_pinned() -> dict[str, Any]:
    """The releases that the book pins."""
    return ask("diffusers")


@fix("install", control="diffusers-without-peft", versions=DIFFUSERS, record_once=ONCE)
def diffusers_with_peft() -> dict[str, Any]:
    """The same pipeline with peft."""
    return diffusion()


@fix(
    "install",
    control="diffusers-and-an-old-peft",
    versions=[*OLD, "peft==0.17.1"],
    record_once=ONCE,
)
def diffusers_and_a_newer_peft() -> dict[str, Any]:
    """The same pipeline with a newer peft."""
    return diffusion()


@fix("install", control="transformers-and-an-old-peft")
def transformers_and_a_newer_peft() -> dict[str, Any]:
    """The release that the book pins."""
    return language("upgraded")


@fix("older-transformers", control="transformers-ahead-of-peft")
def transformers_below_5_24() -> dict[str, Any]:
    """The same peft, and the release before."""
    return language()


@fix("restart", control="asked-before-the-install", start="cold")
def asked_after_the_install() -> dict[str, Any]:
    """The same installation, in a process that has not asked before."""
    return language("installed")


@non_fix(
    "same-process",
    control="diffusers-without-peft",
    versions=DIFFUSERS,
    record_once=ONCE,
    start="cold",
)
def installed_in_the_same_process() -> dict[str, Any]:
    """The pip command of the message, and the same cell again."""
    return diffusion("missing, installed")


@detect(found=True, start="cold")
def adapter_left_out() -> dict[str, Any]:
    """A folder with a base and an adapter, loaded without peft."""
    return folder("missing")


@detect(found=False, control="adapter-left-out")
def adapter_loaded() -> dict[str, Any]:
    """The same folder with peft."""
    return folder()


if __name__ == "__main__":
    main(__file__)
