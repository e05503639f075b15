"""The code that comes with a model imports flash_attn, and transformers asks for it before."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import AT_THE_TOP, GUARDED, NEVER_CALLED, OTHER
from proof_load import asked, flash_attn, install, loaded

from fixbook.recipe import detect, fix, main, non_fix, reproduce

WITH = ["huggingface_hub==0.36.2", "numpy==1.26.4"]
ON_4_44 = ["transformers==4.44.2", "tokenizers==0.19.1", *WITH]
ON_4_45 = ["transformers==4.45.0", "tokenizers==0.20.0", *WITH]
ONCE = "another transformers, imported anew"


@reproduce()
def at_the_top() -> dict[str, Any]:
    """The first line of the file imports it."""
    return loaded(AT_THE_TOP)


@reproduce()
def never_called() -> dict[str, Any]:
    """A function that nobody calls imports it."""
    return loaded(NEVER_CALLED)


@reproduce()
def installed_and_broken() -> dict[str, Any]:
    """It is installed, and its own import fails."""
    flash_attn(compiled=False)
    return loaded(AT_THE_TOP)


@reproduce()
def other_at_the_top() -> dict[str, Any]:
    """Another package, which installs easily."""
    return loaded(OTHER)


@reproduce(versions=ON_4_44, record_once=ONCE)
def guarded_on_4_44() -> dict[str, Any]:
    """The import is guarded, on an older release."""
    return loaded(GUARDED)


@detect(found=True)
def asked_at_the_top() -> dict[str, Any]:
    """The folder as it came."""
    return asked(AT_THE_TOP)


@detect(found=True)
def asked_when_broken() -> dict[str, Any]:
    """The check prints what fails in a flash_attn that is installed."""
    flash_attn(compiled=False)
    return asked(AT_THE_TOP)


@detect(found=False)
def asked_when_guarded() -> dict[str, Any]:
    """A file that asks first whether flash_attn is there."""
    return asked(GUARDED)


@fix("optional", control="at-the-top")
def made_optional() -> dict[str, Any]:
    """The lines of the page put the import into try."""
    return loaded(AT_THE_TOP, "optional")


@fix("built-in", control="at-the-top")
def built_in() -> dict[str, Any]:
    """The class of transformers for the same weights."""
    return loaded(AT_THE_TOP, "built-in")


@fix("other-package", control="other-at-the-top")
def other_installed() -> dict[str, Any]:
    """The package is there."""
    install({"own_package.py": ""})
    return loaded(OTHER)


@fix("real-error", control="installed-and-broken")
def installed_and_whole() -> dict[str, Any]:
    """The module that was missing is there."""
    flash_attn(compiled=True)
    return loaded(AT_THE_TOP)


@fix("patch", control="never-called")
def patched() -> dict[str, Any]:
    """The name is taken from the list that transformers asks for."""
    return loaded(NEVER_CALLED, "patch")


@fix("newer-release", control="guarded-on-4-44", versions=ON_4_45, record_once=ONCE)
def guarded_on_4_45() -> dict[str, Any]:
    """The release that leaves guarded imports out."""
    return loaded(GUARDED)


@non_fix("eager", control="at-the-top")
def eager() -> dict[str, Any]:
    """Another attention is asked for, and the file is read all the same."""
    return loaded(AT_THE_TOP, attn_implementation="eager")


@non_fix("patch-top", control="at-the-top")
def patched_at_the_top() -> dict[str, Any]:
    """The list is patched, and Python imports the module itself."""
    return loaded(AT_THE_TOP, "patch")


if __name__ == "__main__":
    main(__file__)
