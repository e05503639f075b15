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

from proof_install import PIP, UV, asked, install

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

ONCE = "it takes seconds, and shows what another step shows with another tool"
NEWEST = ["pip==26.3"]
WITH_UV = ["uv==0.13.9"]


def compared(command: str) -> dict[str, Any]:
    """Build a package that says what it needs, where the index has another torch."""
    seen = install(command, declared=True)
    return {"found": not seen["same"], **seen}


@reproduce()
def pip_install() -> Any:
    """Torch is installed, and pip's build does not see it."""
    return install()


@reproduce(versions=NEWEST, record_once=ONCE)
def newest_pip() -> Any:
    """The same on today's pip."""
    return install()


@reproduce(versions=WITH_UV, record_once=ONCE)
def uv_install() -> Any:
    """The same with uv, which says what to do."""
    return install(UV)


@detect(found=True)
def asked_where_it_is() -> Any:
    """This interpreter has torch: the build is isolated."""
    return asked("")


@detect(found=False, control="asked-where-it-is")
def asked_where_it_is_not() -> Any:
    """This interpreter has none, in its own environment either."""
    return asked("-S")


@fix("no-isolation", control="pip-install")
def without_isolation() -> Any:
    """The build runs in the environment it is installed into."""
    return install(snippet_text("no-isolation"))


@fix("no-isolation", control="uv-install", versions=WITH_UV, record_once=ONCE)
def uv_without_isolation() -> Any:
    """The same option of uv."""
    return install(f"{UV} --no-build-isolation")


@fix("ready", control="pip-install")
def ready_made() -> Any:
    """Nothing is built."""
    return install(snippet_text("ready"), ready=True)


@fix("variable", control="pip-install", record_once=ONCE)
def variable_0() -> Any:
    """Zero turns the isolation off."""
    return install(snippet_text("variable"))


@reproduce(record_once=ONCE)
def variable_1() -> Any:
    """One leaves it on."""
    return install(f"PIP_NO_BUILD_ISOLATION=1 {PIP}")


@non_fix("torch-first", control="pip-install", record_once=ONCE)
def torch_first() -> Any:
    """It is there already, and the build does not see it."""
    return install(first="torch")


@detect(found=True, record_once=ONCE)
def declared_and_isolated() -> Any:
    """It is built for a torch that nobody uses."""
    return compared(PIP)


@detect(found=False, control="declared-and-isolated", record_once=ONCE)
def declared_and_not_isolated() -> Any:
    """It is built for the torch that is installed."""
    return compared(snippet_text("no-isolation"))


if __name__ == "__main__":
    main(__file__)
