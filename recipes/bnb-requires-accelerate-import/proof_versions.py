"""Which releases are there, which are taken for usable, and whether the model loads."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from failure import install_newer, load, save

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet

OLD_BNB = ["bitsandbytes==0.45.5"]
OLD_ACCELERATE = ["accelerate==1.0.1"]
NO_GPU = [
    "transformers==4.40.2",
    "tokenizers==0.19.1",
    "huggingface_hub==0.36.2",
    "numpy==1.26.4",
]
OLD_ONCE = "an older release beside the main one, imported anew"


def prepare(session: str) -> None:
    """Do what was done in this process before: ``asked``, ``installed``, or both."""
    save()
    if "asked" in session:
        fail_first()
    if "installed" in session:
        install_newer()


def run(session: str = "") -> dict[str, Any]:
    """Load, and say what came of it."""
    prepare(session)
    measure(accelerate=version("accelerate"), bitsandbytes=version("bitsandbytes"))
    model = load()
    return {
        "layer": type(model.model.layers[0].mlp.up_proj).__name__,
        "bytes": model.get_memory_footprint(),
    }


def fail_first() -> None:
    """Meet the error, and go on, as one does in a notebook."""
    try:
        load()
    except ImportError:
        return
    raise AssertionError("the first attempt was to fail")


def ask(session: str) -> dict[str, Any]:
    """Ask the page what transformers takes for usable."""
    prepare(session)
    found = snippet("seen")
    return {"found": not all(found["usable"].values()), "gpu": str(found["gpu"])}


@reproduce(versions=OLD_BNB, record_once=OLD_ONCE)
def bitsandbytes_too_old() -> dict[str, Any]:
    """It is there, and older than transformers wants."""
    return run()


@reproduce(versions=OLD_ACCELERATE, record_once=OLD_ONCE)
def accelerate_too_old() -> dict[str, Any]:
    """The same of accelerate."""
    return run()


@reproduce(versions=NO_GPU, record_once=OLD_ONCE)
def no_gpu_on_4_40() -> dict[str, Any]:
    """Both are new; what is missing is a GPU."""
    return run()


@fix(
    "install-and-restart",
    control="bitsandbytes-too-old",
    versions=OLD_BNB,
    record_once=OLD_ONCE,
)
def installed_before_the_question() -> dict[str, Any]:
    """The same installation, in a process that has not asked before."""
    return run("installed")


@non_fix("same-session", control="bitsandbytes-too-old", versions=OLD_BNB, record_once=OLD_ONCE)
def installed_in_the_same_session() -> dict[str, Any]:
    """The new release is found, and the answer of before is kept."""
    return run("asked, installed")


@detect(found=True, versions=OLD_BNB, record_once=OLD_ONCE)
def finds_the_kept_answer() -> dict[str, Any]:
    """Installed, and not usable."""
    return ask("asked, installed")


@detect(found=False, control="finds-the-kept-answer", versions=OLD_BNB, record_once=OLD_ONCE)
def accepts_an_install_before_the_question() -> dict[str, Any]:
    """Installed before transformers was asked."""
    return ask("installed")
