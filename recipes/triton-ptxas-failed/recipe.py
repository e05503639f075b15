"""The assembler that Triton takes does not know the card."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "triton==3.7.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any

from failure import compile_for
from proof_toolkit import VARIABLES, after, from_pip, release, toolkit

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

HERE: dict[str, Any] = {"needs": ["triton"]}
ONCE = "a release of Triton that these steps alone need, of half a gigabyte"
NVCC = "nvidia-cuda-nvcc==13.0.88"
V3_2: dict[str, Any] = {"versions": ["triton==3.2.0"], "record_once": ONCE}
V3_3: dict[str, Any] = {"versions": ["triton==3.3.1"], "record_once": ONCE}
V3_5: dict[str, Any] = {"versions": ["triton==3.5.1", NVCC], "record_once": ONCE}
V3_6: dict[str, Any] = {"versions": ["triton==3.6.0", NVCC], "record_once": ONCE}
FOR_ALL, FOR_BLACKWELL = VARIABLES
V100, THOR, RTX_5090, DGX_SPARK = 70, 110, 120, 121  # compute capabilities times ten


def run(card: int, *, unset: bool = False, **variables: str | Path) -> dict[str, Any]:
    """Compile for a card.

    Args:
        card: Its compute capability times ten.
        unset: Whether to run the page's line that takes the variables away.
        **variables: Folders of toolkits, whose assembler the variable is to name.
    """
    for name, folder in variables.items():
        os.environ[name] = str(Path(folder) / "bin/ptxas")
    if unset:
        after("unset")
    os.environ["TRITON_CACHE_DIR"] = str(Path("cache").absolute())
    measure(named=[name for name in VARIABLES if name in os.environ])
    return {"compiled": len(compile_for(card)) > 0}


@reproduce(**V3_5)
def dgx_spark_on_3_5() -> Any:
    """A card that is newer than the one assembler of this release."""
    return run(DGX_SPARK)


@reproduce(**V3_6)
def thor_on_3_6() -> Any:
    """A card that is newer than the second assembler, too."""
    return run(THOR)


@reproduce(**V3_2)
def rtx_5090_on_3_2() -> Any:
    """The release of early 2025."""
    return run(RTX_5090)


@reproduce(**HERE)
def older_toolkit_named() -> Any:
    """A variable names the assembler of CUDA 12.8."""
    return run(DGX_SPARK, **{FOR_BLACKWELL: toolkit("12.8")})


@reproduce(**HERE)
def newer_toolkit_named() -> Any:
    """A variable names the assembler of CUDA 13, which has left out older cards."""
    return run(V100, **{FOR_ALL: toolkit("13.1")})


@fix("newer-triton", control="dgx-spark-on-3-5", **V3_6)
def dgx_spark_on_3_6() -> Any:
    """The next release."""
    return run(DGX_SPARK)


@fix("newer-triton", control="thor-on-3-6", **HERE)
def thor_on_3_7() -> Any:
    """The release that torch 2.13 brings."""
    return run(THOR) | {"found": ask(THOR)["found"]}


@fix("newer-triton", control="rtx-5090-on-3-2", **V3_3)
def rtx_5090_on_3_3() -> Any:
    """The next release."""
    return run(RTX_5090)


@fix("newer-assembler", control="dgx-spark-on-3-5", **V3_5)
def assembler_named_on_3_5() -> Any:
    """The same release, with the page's lines."""
    measure(assembler=release(after("name", CUDA_HOME=str(from_pip()))))
    return run(DGX_SPARK)


@fix("newer-assembler", control="thor-on-3-6", **V3_6)
def assembler_named_on_3_6() -> Any:
    """The same release, with the page's lines."""
    measure(assembler=release(after("name", CUDA_HOME=str(from_pip()))))
    return run(THOR)


@fix("unset", control="older-toolkit-named", **HERE)
def older_toolkit_unset() -> Any:
    """Triton takes its own."""
    return run(DGX_SPARK, unset=True, **{FOR_BLACKWELL: toolkit("12.8")})


@fix("unset", control="newer-toolkit-named", **HERE)
def newer_toolkit_unset() -> Any:
    """Triton takes its own."""
    return run(V100, unset=True, **{FOR_ALL: toolkit("13.1")})


@non_fix("first-variable", control="thor-on-3-6", **V3_6)
def first_variable_on_3_6() -> Any:
    """TRITON_PTXAS_PATH alone, with an assembler that knows the card."""
    return run(THOR, **{FOR_ALL: from_pip()})


def ask(card: int, **variables: str | Path) -> dict[str, Any]:
    """Run the page's check on a card, with variables set."""
    import torch

    for name, file in variables.items():
        os.environ[name] = str(file)
    torch.cuda.get_device_capability = lambda *_: divmod(card, 10)  # type: ignore[assignment]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("which")
    words = printed.getvalue().split()
    said = " ".join([*words[:-1], "…/" + "/".join(Path(words[-1]).parts[-3:])])
    return {"found": not done["known"], "file": Path(done["tool"].path).name, "said": said}


@detect(found=True, **HERE)
def asks_with_an_older_toolkit() -> Any:
    """The variable names an assembler that does not know the card."""
    return ask(DGX_SPARK, **{FOR_BLACKWELL: toolkit("12.8") / "bin/ptxas"})


@detect(found=False, control="asks-with-an-older-toolkit", **HERE)
def asks_without_variables() -> Any:
    """Triton's own assembler."""
    return ask(DGX_SPARK)


@detect(found=False, control="asks-with-an-older-toolkit", **HERE)
def asks_with_a_file_that_is_not_there() -> Any:
    """Triton takes its own, without a word."""
    return ask(DGX_SPARK, **{FOR_BLACKWELL: "/usr/local/cuda-13.9/bin/ptxas"})


if __name__ == "__main__":
    main(__file__)
