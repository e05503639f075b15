"""notebook_launcher of accelerate refuses: an Accelerator, bitsandbytes or no number."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "accelerate==1.15.0", "transformers==5.23.0",
#     "bitsandbytes==0.50.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import import_bitsandbytes, import_training_arguments, launch, look, make_accelerator

from fixbook.recipe import detect, fix, main, reproduce

CPU = {"ACCELERATE_USE_CPU": "yes"}


@reproduce(env=CPU)
def accelerator_in_a_cell() -> dict[str, Any]:
    """A cell before made an Accelerator."""
    return launch(make_accelerator)


@reproduce(env=CPU)
def training_arguments_imported() -> dict[str, Any]:
    """A cell before imported transformers' arguments, and bitsandbytes with them."""
    return launch(import_training_arguments)


@reproduce(env=CPU)
def no_number() -> dict[str, Any]:
    """How many processes was left out."""
    return launch(count=None)


@detect(found=True, env=CPU)
def finds_an_accelerator() -> dict[str, Any]:
    """An Accelerator was made."""
    return look(make_accelerator)


@detect(found=True, env=CPU)
def finds_an_import() -> dict[str, Any]:
    """Bitsandbytes was imported."""
    return look(import_bitsandbytes)


@detect(found=False, control="finds-an-accelerator", env=CPU)
def finds_nothing() -> dict[str, Any]:
    """Nothing was done before."""
    return look()


@fix("inside", control="accelerator-in-a-cell", env=CPU)
def accelerator_inside() -> dict[str, Any]:
    """The training function makes it."""
    return launch()


@fix("inside", control="training-arguments-imported", env=CPU)
def imports_inside() -> dict[str, Any]:
    """The training function imports them."""
    return launch()


@fix("number", control="no-number", env=CPU)
def two_asked_for() -> dict[str, Any]:
    """Two processes are asked for."""
    return launch(count=2)


@detect(found=True, env=CPU)
def one_asked_for() -> dict[str, Any]:
    """One process passes the check that two do not."""
    return launch(make_accelerator, count=1)


if __name__ == "__main__":
    main(__file__)
