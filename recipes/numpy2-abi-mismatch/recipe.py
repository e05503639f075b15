"""A package that was compiled for NumPy 1 does not run on NumPy 2."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "numpy==2.4.6", "pandas==3.1.1", "pyarrow==26.0.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_environments import ask, notebook, parquet, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

PANDAS_FOR_1 = ["pandas==2.2.1", "pytz==2024.1"]
PANDAS_FOR_2 = ["pandas==2.2.2", "pytz==2024.1"]
PANDAS_FOR_1_ON_1 = [*PANDAS_FOR_1, "numpy==1.26.4"]
OLD_STACK = [*PANDAS_FOR_1, "pyarrow==15.0.2"]
OLD_STACK_ON_1 = [*OLD_STACK, "numpy==1.26.4"]
OLD_STACK_ON_2 = [*OLD_STACK, "numpy==2.0.0"]
ONE_OLD = [*PANDAS_FOR_2, "pyarrow==15.0.2"]
NONE_OLD = [*PANDAS_FOR_2, "pyarrow==16.0.0"]
NUMPY_1 = ["numpy==1.26.4"]
ONCE = "releases of 2024 beside the main environment"


@reproduce(versions=PANDAS_FOR_1, record_once=ONCE)
def pandas_2_2_1() -> dict[str, Any]:
    """Its types have another size."""
    return run("pandas", "pyarrow")


@reproduce(versions=["pyarrow==15.0.2"], record_once=ONCE)
def pyarrow_15() -> dict[str, Any]:
    """NumPy prints a warning, and pyarrow raises."""
    return run("pyarrow")


@reproduce(versions=["opencv-python-headless==4.10.0.82"], record_once=ONCE)
def opencv_4_10_0_82() -> dict[str, Any]:
    """Its bindings are for NumPy 1."""
    return run("cv2")


@reproduce(versions=OLD_STACK_ON_2, record_once=ONCE)
def both_old() -> dict[str, Any]:
    """Everything is from before, on the first NumPy 2."""
    return run("pandas", "pyarrow")


@reproduce(versions=NUMPY_1, start="cold", record_once=ONCE)
def replaced_in_use() -> dict[str, Any]:
    """In a notebook: NumPy 2 is imported, then NumPy 1 is installed over it."""
    return notebook()


@detect(found=True, versions=OLD_STACK, record_once=ONCE)
def names_the_old_ones() -> dict[str, Any]:
    """Both, although they fail with different words."""
    return ask()


@detect(found=False, control="names-the-old-ones", versions=NONE_OLD, record_once=ONCE)
def names_none() -> dict[str, Any]:
    """Both are for NumPy 2."""
    return ask()


@fix("newer-package", control="pandas-2-2-1", versions=PANDAS_FOR_2, record_once=ONCE)
def pandas_2_2_2() -> dict[str, Any]:
    """The first release for NumPy 2."""
    return run("pandas", "pyarrow")


@fix("newer-package", control="pyarrow-15", versions=["pyarrow==16.0.0"], record_once=ONCE)
def pyarrow_16() -> dict[str, Any]:
    """The first release for NumPy 2."""
    return run("pyarrow")


@fix(
    "newer-package",
    control="opencv-4-10-0-82",
    versions=["opencv-python-headless==4.10.0.84"],
    record_once=ONCE,
)
def opencv_4_10_0_84() -> dict[str, Any]:
    """The first release for NumPy 2."""
    return run("cv2")


@fix("restart", control="replaced-in-use", versions=NUMPY_1, start="cold", record_once=ONCE)
def restarted() -> dict[str, Any]:
    """Another process imports NumPy 1 as a whole."""
    return notebook(restart=True)


@fix("numpy-below-2", control="both-old", versions=OLD_STACK_ON_1, record_once=ONCE)
def both_old_on_numpy_1() -> dict[str, Any]:
    """NumPy too."""
    return run("pandas", "pyarrow")


@non_fix("numpy-below-2", control="pandas-2-2-1", versions=PANDAS_FOR_1_ON_1, record_once=ONCE)
def one_old_on_numpy_1() -> dict[str, Any]:
    """Pandas is glad, and the pyarrow of today is not."""
    return run("pandas", "pyarrow")


@non_fix("reinstall", control="replaced-in-use", versions=NUMPY_1, start="cold", record_once=ONCE)
def reinstalled_in_use() -> dict[str, Any]:
    """The files are right, and the process has half of the other NumPy."""
    return notebook(times=2)


@detect(found=True, versions=ONE_OLD, record_once=ONCE)
def pandas_goes_on_without() -> dict[str, Any]:
    """The import passes, with a warning; pyarrow counts as absent."""
    return parquet()


@detect(found=False, control="pandas-goes-on-without", versions=NONE_OLD, record_once=ONCE)
def pandas_has_it() -> dict[str, Any]:
    """The same with a pyarrow for NumPy 2."""
    return parquet()


if __name__ == "__main__":
    main(__file__)
