"""pip builds in an environment of its own, in which there is no torch."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "setuptools==84.2.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_install import asked, install

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "it takes seconds, and shows what another step shows with another tool"
NEWEST = ["pip==26.3"]
UV = ["uv==0.13.9"]


@reproduce()
def pip_install() -> Any:
    """Torch is installed, and pip's build does not see it."""
    return install()


@reproduce(versions=NEWEST, record_once=ONCE)
def newest_pip() -> Any:
    """The same on today's pip."""
    return install()


@reproduce(versions=UV, record_once=ONCE)
def uv_install() -> Any:
    """The same with uv, which says what to do."""
    return install(tool="uv pip")


@fix("no-isolation", control="pip-install")
def without_isolation() -> Any:
    """The build runs in the environment it is installed into."""
    return install("--no-build-isolation")


@fix("no-isolation", control="uv-install", versions=UV, record_once=ONCE)
def uv_without_isolation() -> Any:
    """The same option of uv."""
    return install("--no-build-isolation", tool="uv pip")


@fix("variable", control="pip-install", record_once=ONCE)
def variable_0() -> Any:
    """Zero turns the isolation off."""
    return install(PIP_NO_BUILD_ISOLATION="0")


@reproduce(record_once=ONCE)
def variable_1() -> Any:
    """One leaves it on."""
    return install(PIP_NO_BUILD_ISOLATION="1")


@fix("ready", control="pip-install")
def ready_made() -> Any:
    """Nothing is built."""
    return install(ready=True)


@non_fix("torch-first", control="pip-install", record_once=ONCE)
def torch_first() -> Any:
    """It is there already, and the build does not see it."""
    return install(first="torch")


@detect(found=True)
def asked_where_it_is() -> Any:
    """This interpreter has torch: the build is isolated."""
    return asked("")


@detect(found=False, control="asked-where-it-is")
def asked_where_it_is_not() -> Any:
    """This interpreter has none, in its own environment either."""
    return asked("-S")


def compared(*options: str) -> dict[str, Any]:
    """Build a package that says what it needs, where the index has another torch."""
    seen = install(*options, declared=True)
    return {"found": not seen["same"], **seen}


@detect(found=True, record_once=ONCE)
def declared_and_isolated() -> Any:
    """It is built for a torch that nobody uses."""
    return compared()


@detect(found=False, control="declared-and-isolated", record_once=ONCE)
def declared_and_not_isolated() -> Any:
    """It is built for the torch that is installed."""
    return compared("--no-build-isolation")


if __name__ == "__main__":
    main(__file__)
