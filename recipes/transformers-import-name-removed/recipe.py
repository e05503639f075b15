"""An import of a name that the installed transformers no longer has, or does not have yet."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_releases  # noqa: F401
from failure import imported
from proof_names import NEW, OLD, checked, loaded, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet


@reproduce()
def old_import() -> dict[str, Any]:
    """A script that takes AdamW from transformers."""
    return train("transformers")


@fix("adamw", control="old-import")
def new_import() -> dict[str, Any]:
    """The page's lines as they are printed."""
    return train("as-printed")


@non_fix("optimization", control="old-import")
def from_optimization() -> dict[str, Any]:
    """The module that used to define it, which is still there."""
    return train("transformers.optimization")


@reproduce()
def old_class() -> dict[str, Any]:
    """A class that has a new name."""
    return {"name": imported("AutoModelForVision2Seq").__name__}


@fix("new-names", control="old-class")
def new_class() -> dict[str, Any]:
    """The line of the page imports it by that name."""
    return {"name": snippet("new-name")["AutoModelForImageTextToText"].__name__}


@reproduce()
def remote_code() -> dict[str, Any]:
    """Code that came with a model asks for is_torch_fx_available."""
    return loaded()


@fix("built-in-class", control="remote-code")
def built_in_class() -> dict[str, Any]:
    """The class of transformers for the same weights."""
    return loaded(trust_remote_code=False)


@detect(found=True)
def old_script() -> dict[str, Any]:
    """A script with the old import."""
    return checked(OLD)


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The same script with the new one."""
    return checked(NEW)


@detect(found=True)
def only_renamed() -> dict[str, Any]:
    """Only the import changed: torch decays weights by default."""
    return train("torch.optim")


@detect(found=False, control="only-renamed")
def renamed_and_set() -> dict[str, Any]:
    """The defaults of transformers written out."""
    return train("as-printed")


if __name__ == "__main__":
    main(__file__)
