"""An extension that was compiled for another torch cannot be imported."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "setuptools==84.2.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_symbols import after_an_upgrade, from_its_folder, read, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "pip compiles a package twice"


@reproduce(programs=["g++"])
def old_strings() -> dict[str, Any]:
    """Compiled with the other layout of std::string."""
    return run("check", new_strings=0)


@reproduce(programs=["g++"])
def headers_of_another_torch() -> dict[str, Any]:
    """Compiled against an operator as another release declares it."""
    return run("zeros", other_torch=True)


@reproduce(programs=["g++"])
def beside_a_cpu_build() -> dict[str, Any]:
    """It needs CUDA parts of torch."""
    return run("device")


@reproduce(programs=["g++"])
def own_kernels_not_loaded() -> dict[str, Any]:
    """What is missing is not torch's."""
    return run("own")


@reproduce(programs=["g++"], record_once=ONCE)
def torch_was_replaced() -> dict[str, Any]:
    """Installed by pip beside another torch."""
    return after_an_upgrade()


@reproduce(programs=["g++"], record_once=ONCE)
def built_over_leftovers() -> dict[str, Any]:
    """Compiled in its folder beside another torch, and again over the same object files."""
    return from_its_folder()


@detect(found=True, programs=["g++"])
def reads_the_strings() -> dict[str, Any]:
    """Torch has the same function with the other std::string."""
    return read("check", new_strings=0)


@detect(found=True, programs=["g++"])
def reads_a_cpu_build() -> dict[str, Any]:
    """A CUDA part of torch."""
    return read("device")


@detect(found=False, control="reads-the-strings", programs=["g++"])
def accepts_todays_strings() -> dict[str, Any]:
    """It loads."""
    return read("check", new_strings=1)


@fix("past-the-cache", control="torch-was-replaced", programs=["g++"], record_once=ONCE)
def installed_past_the_cache() -> dict[str, Any]:
    """Built anew, beside this torch."""
    return after_an_upgrade(again="past it")


@fix("compile-here", control="old-strings", programs=["g++"])
def todays_strings() -> dict[str, Any]:
    """Compiled with the layout that this torch has."""
    return run("check", new_strings=1)


@fix("compile-here", control="headers-of-another-torch", programs=["g++"])
def headers_of_this_torch() -> dict[str, Any]:
    """Compiled against the installed headers."""
    return run("zeros", other_torch=False)


@fix("compile-here", control="built-over-leftovers", programs=["g++"], record_once=ONCE)
def built_without_leftovers() -> dict[str, Any]:
    """The object files are gone."""
    return from_its_folder(clean=True)


@fix("package-first", control="own-kernels-not-loaded", programs=["g++"])
def own_kernels_loaded_first() -> dict[str, Any]:
    """Its library is there before it."""
    return run("own", kernels_first=True)


@non_fix("reinstall", control="torch-was-replaced", programs=["g++"], record_once=ONCE)
def installed_again() -> dict[str, Any]:
    """The wheel that pip kept comes back."""
    return after_an_upgrade(again="from the cache")


if __name__ == "__main__":
    main(__file__)
