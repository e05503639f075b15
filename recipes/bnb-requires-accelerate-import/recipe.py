"""Transformers says that bitsandbytes or accelerate is missing, though both are installed."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_versions import ask, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD_BNB = ["bitsandbytes==0.45.5"]
OLD_ACCELERATE = ["accelerate==1.0.1"]
NO_GPU = [
    "transformers==4.40.2",
    "tokenizers==0.19.1",
    "huggingface_hub==0.36.2",
    "numpy==1.26.4",
]
ONCE = "an older release beside the main one, imported anew"


@reproduce(versions=OLD_BNB, record_once=ONCE)
def bitsandbytes_too_old() -> dict[str, Any]:
    """It is there, and older than transformers wants."""
    return run()


@reproduce(versions=OLD_ACCELERATE, record_once=ONCE)
def accelerate_too_old() -> dict[str, Any]:
    """The same of accelerate."""
    return run()


@reproduce(versions=OLD_BNB, record_once=ONCE)
def asked_by_the_checkpoint() -> dict[str, Any]:
    """No argument asks for bitsandbytes: config.json of the checkpoint does."""
    return run(stored=True)


@reproduce(versions=NO_GPU, record_once=ONCE)
def no_gpu_on_4_40() -> dict[str, Any]:
    """Both are new; what is missing is a GPU."""
    return run()


@detect(found=True, versions=OLD_BNB, record_once=ONCE)
def finds_the_old_release() -> dict[str, Any]:
    """Installed, and too old."""
    return ask()


@detect(found=True, versions=OLD_BNB, record_once=ONCE)
def finds_the_kept_answer() -> dict[str, Any]:
    """Installed anew, and not usable in this process."""
    return ask("asked, installed")


@detect(found=False, control="finds-the-kept-answer", versions=OLD_BNB, record_once=ONCE)
def accepts_an_install_before_the_question() -> dict[str, Any]:
    """Installed before transformers was asked."""
    return ask("installed")


@detect(found=False, control="finds-the-old-release")
def accepts_new_releases() -> dict[str, Any]:
    """The releases that the book pins."""
    return ask()


@fix("install-and-restart", control="bitsandbytes-too-old")
def bitsandbytes_upgraded() -> dict[str, Any]:
    """The release that the book pins."""
    return run()


@fix("install-and-restart", control="accelerate-too-old")
def accelerate_upgraded() -> dict[str, Any]:
    """The same of accelerate."""
    return run()


@fix("install-and-restart", control="bitsandbytes-too-old", versions=OLD_BNB, record_once=ONCE)
def installed_before_the_question() -> dict[str, Any]:
    """The same installation, in a process that has not asked before."""
    return run("installed")


@fix("newer-transformers", control="no-gpu-on-4-40")
def no_gpu_today() -> dict[str, Any]:
    """Transformers of today loads in 4 bits without a GPU."""
    return run()


@non_fix("same-session", control="bitsandbytes-too-old", versions=OLD_BNB, record_once=ONCE)
def installed_in_the_same_session() -> dict[str, Any]:
    """The new release is found, and the answer of before is kept."""
    return run("asked, installed")


if __name__ == "__main__":
    main(__file__)
