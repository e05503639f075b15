"""What a spawned worker is handed has to be pickled: functions inside functions, lambdas, files."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_loader import look, read, usual

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def function_inside_a_function() -> dict[str, Any]:
    """The collate function is defined in another one."""
    return read("local")


@reproduce()
def lambda_of_the_module() -> dict[str, Any]:
    """The collate function is a lambda."""
    return read("lambda")


@reproduce()
def open_file() -> dict[str, Any]:
    """The data set holds an open file."""
    return read("open")


@fix("top-level", control="function-inside-a-function")
def function_of_a_module() -> dict[str, Any]:
    """The same function at the top level, its argument bound by partial."""
    return read("top-level")


@fix("top-level", control="lambda-of-the-module")
def function_for_the_lambda() -> dict[str, Any]:
    """A function with a name."""
    return read("top-level")


@fix("open-later", control="open-file")
def file_opened_in_the_worker() -> dict[str, Any]:
    """The data set holds the path, and each worker opens it."""
    return read("open-later")


@fix("fork", control="function-inside-a-function")
def forked() -> dict[str, Any]:
    """A forked worker is handed nothing: it has everything already."""
    return read("fork")


@non_fix("no-workers", control="function-inside-a-function")
def no_workers() -> dict[str, Any]:
    """Every row is made by the training process itself."""
    return read("local", workers=0)


@detect(found=True)
def names_the_function() -> dict[str, Any]:
    """It is the collate function."""
    return look("local")


@detect(found=True)
def names_the_file() -> dict[str, Any]:
    """It is the data set's file."""
    return look("open")


@detect(found=True)
def names_the_class() -> dict[str, Any]:
    """It is the data set's class, whose name nobody can import."""
    return look("local class")


@detect(found=False, control="names-the-function")
def accepts_the_module() -> dict[str, Any]:
    """Nothing is in the way."""
    return look("top-level")


@detect(found=False)
def accepts_usual_loaders() -> dict[str, Any]:
    """Tensors, lists and tables with the usual collate functions."""
    return usual()


if __name__ == "__main__":
    main(__file__)
