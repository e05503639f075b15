"""Releases of pandas and pyarrow on NumPy 2 and on NumPy 1."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any

from failure import use

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet

PANDAS_FOR_1 = ["pandas==2.2.1", "pytz==2024.1"]
PANDAS_FOR_2 = ["pandas==2.2.2", "pytz==2024.1"]
ARROW_FOR_1 = ["pyarrow==15.0.2"]
ARROW_FOR_2 = ["pyarrow==16.0.0"]
PANDAS_FOR_1_ON_1 = ["pandas==2.2.1", "pytz==2024.1", "numpy==1.26.4"]
OLD_STACK = ["pandas==2.2.1", "pytz==2024.1", "pyarrow==15.0.2"]
OLD_STACK_ON_1 = ["pandas==2.2.1", "pytz==2024.1", "pyarrow==15.0.2", "numpy==1.26.4"]
ONE_OLD = ["pandas==2.2.2", "pytz==2024.1", "pyarrow==15.0.2"]
NONE_OLD = ["pandas==2.2.2", "pytz==2024.1", "pyarrow==16.0.0"]
ONCE = "releases of 2024 beside the main environment"


def run(*packages: str) -> dict[str, Any]:
    """Say which NumPy it is, and use packages with it."""
    measure(numpy=version("numpy"))
    return use(*packages)


def ask() -> dict[str, Any]:
    """Ask the page which packages were compiled for NumPy 1."""
    old = sorted(snippet("which")["old"])
    return {"found": bool(old), "old": old}


def parquet() -> dict[str, Any]:
    """Import pandas, then write a file that needs pyarrow."""
    pandas = importlib.import_module("pandas")
    table = pandas.DataFrame({"a": [1, 2]})
    try:
        table.to_parquet("a.parquet", engine="pyarrow")
    except ImportError as error:
        return {"found": True, "said": str(error).splitlines()[0]}
    return {"found": False, "said": ""}


@reproduce(versions=PANDAS_FOR_1, record_once=ONCE)
def pandas_2_2_1() -> dict[str, Any]:
    """Its types have another size."""
    return run("pandas", "pyarrow")


@fix("newer-package", control="pandas-2-2-1", versions=PANDAS_FOR_2, record_once=ONCE)
def pandas_2_2_2() -> dict[str, Any]:
    """The first release for NumPy 2."""
    return run("pandas", "pyarrow")


@reproduce(versions=ARROW_FOR_1, record_once=ONCE)
def pyarrow_15() -> dict[str, Any]:
    """NumPy prints a warning, and pyarrow raises."""
    return run("pyarrow")


@fix("newer-package", control="pyarrow-15", versions=ARROW_FOR_2, record_once=ONCE)
def pyarrow_16() -> dict[str, Any]:
    """The first release for NumPy 2."""
    return run("pyarrow")


@reproduce(versions=OLD_STACK, record_once=ONCE)
def both_old() -> dict[str, Any]:
    """Everything is from before."""
    return run("pandas", "pyarrow")


@fix("numpy-below-2", control="both-old", versions=OLD_STACK_ON_1, record_once=ONCE)
def both_old_on_numpy_1() -> dict[str, Any]:
    """NumPy too."""
    return run("pandas", "pyarrow")


@non_fix("numpy-below-2", control="pandas-2-2-1", versions=PANDAS_FOR_1_ON_1, record_once=ONCE)
def one_old_on_numpy_1() -> dict[str, Any]:
    """Pandas is glad, and the pyarrow of today is not."""
    return run("pandas", "pyarrow")


@detect(found=True, versions=OLD_STACK, record_once=ONCE)
def names_the_old_ones() -> dict[str, Any]:
    """Both, although they fail with different words."""
    return ask()


@detect(found=False, control="names-the-old-ones", versions=NONE_OLD, record_once=ONCE)
def names_none() -> dict[str, Any]:
    """Both are for NumPy 2."""
    return ask()


@detect(found=True, versions=ONE_OLD, record_once=ONCE)
def pandas_goes_on_without() -> dict[str, Any]:
    """The import passes, with a warning; pyarrow counts as absent."""
    return parquet()


@detect(found=False, control="pandas-goes-on-without", versions=NONE_OLD, record_once=ONCE)
def pandas_has_it() -> dict[str, Any]:
    """The same with a pyarrow for NumPy 2."""
    return parquet()
