"""Triton cannot find the driver's library, or the linker wants it under another name."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "triton==3.7.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from failure import __file__ as program
from proof_driver import DRIVER, library, listed, machine

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import run_python

HERE: dict[str, Any] = {"needs": ["triton"], "programs": ["cc", "gcc"]}
ONCE = "a release of Triton that these steps alone need, of half a gigabyte"
OLD: dict[str, Any] = {"versions": ["triton==3.5.1"], "programs": ["gcc"], "record_once": ONCE}
FIRST: dict[str, Any] = OLD | {"versions": ["triton==3.0.0"]}
OLDER: dict[str, Any] = OLD | {"versions": ["triton==2.3.1"]}
NEW: dict[str, Any] = OLD | {"versions": ["triton==3.6.0"]}


BEFORE, USR_LIB, TOOLKIT = "before", "usr-lib", "cuda/lib64"


def run(*, cached: str = "", link: str = "", path: str = "", search: str = "") -> dict[str, Any]:
    """Start Triton where the driver's library is in the folder "driver".

    Args:
        cached: The folder that held it when the loader's cache was made; "" for none that it lists.
        link: A folder that gets a link to it, libcuda.so, before the cache is made.
        path: The folder in TRITON_LIBCUDA_PATH.
        search: The folder in LD_LIBRARY_PATH.
    """
    machine(cached, link)
    library(f"{TOOLKIT}/stubs", "libcuda.so")
    names = {"TRITON_LIBCUDA_PATH": path, "LD_LIBRARY_PATH": search}
    env = {name: str(Path(folder).absolute()) for name, folder in names.items() if folder}
    env |= {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TRITON_CACHE_DIR": str(Path("built").absolute()),
    }
    done = run_python(Path(program).read_text("utf-8"), env=env, timeout_s=120)
    linker = [Path(one).name for one in re.findall(r"'-L([^']+)'", done.stdout)]
    links = [one for one in (f"{link}/libcuda.so",) if Path(one).exists()]
    measure(listed=listed(), linker=linker, links=links)
    if done.returncode:
        raise SystemExit(done.returncode)
    return {"modules": len(list(Path("built").rglob("cuda_utils*.so")))}


def ask(*, cached: str = "", link: str = "", search: str = "") -> dict[str, Any]:
    """Run the page's check."""
    machine(cached, link)
    if search:
        os.environ["LD_LIBRARY_PATH"] = str(Path(search).absolute())
    seen = snippet("look")
    counts = {name: len(seen[name]) for name in ("listed", "there", "searched", "links")}
    return {"found": not seen["usable"], **counts}


@reproduce(**HERE)
def not_listed() -> dict[str, Any]:
    """The driver's folder is none that the loader knows."""
    return run()


@reproduce(**HERE)
def moved_since() -> dict[str, Any]:
    """The cache lists where the driver was; LD_LIBRARY_PATH names where it is."""
    return run(cached=BEFORE, search=DRIVER)


@reproduce(**HERE)
def path_alone() -> dict[str, Any]:
    """The linker is told where it is, and the loader is not."""
    return run(path=DRIVER)


@reproduce(**OLD)
def name_without_a_number() -> dict[str, Any]:
    """The last release that links -lcuda, with a driver that the cache lists."""
    return run(cached=DRIVER)


@reproduce(**FIRST)
def first_to_say_lcuda() -> dict[str, Any]:
    """The first release of Triton 3."""
    return run(cached=DRIVER)


@reproduce(**OLDER)
def triton_2() -> dict[str, Any]:
    """The last release of Triton 2 looks for that name before it links."""
    return run(cached=DRIVER)


@fix("register", control="not-listed", **HERE)
def registered() -> dict[str, Any]:
    """The cache lists the driver's folder."""
    return run(cached=DRIVER)


@fix("search-path", control="not-listed", **HERE)
def search_path() -> dict[str, Any]:
    """LD_LIBRARY_PATH names the folder, and the cache lists no other."""
    return run(search=DRIVER)


@fix("search-path", control="moved-since", **HERE)
def both_variables() -> dict[str, Any]:
    """TRITON_LIBCUDA_PATH as well, where the cache lists another."""
    return run(cached=BEFORE, search=DRIVER, path=DRIVER)


@fix("old-triton", control="name-without-a-number", **NEW)
def release_that_links_the_number() -> dict[str, Any]:
    """The first release that links libcuda.so.1."""
    return run(cached=DRIVER)


@fix("old-triton", control="name-without-a-number", **OLD)
def linked_beside() -> dict[str, Any]:
    """The same release, with the link."""
    return run(cached=DRIVER, link=DRIVER)


@fix("old-triton", control="triton-2", **OLDER)
def linked_for_triton_2() -> dict[str, Any]:
    """Triton 2, with the link."""
    return run(cached=DRIVER, link=DRIVER)


@non_fix("symlink", control="not-listed", **HERE)
def linked_into_usr_lib() -> dict[str, Any]:
    """The link is in a folder that the cache lists."""
    return run(link=USR_LIB)


@non_fix("symlink", control="moved-since", **HERE)
def linked_as_told() -> dict[str, Any]:
    """The link is where the message asks for it."""
    return run(cached=BEFORE, search=DRIVER, link=BEFORE)


@non_fix("toolkit", control="not-listed", **HERE)
def toolkit_named() -> dict[str, Any]:
    """TRITON_LIBCUDA_PATH names a toolkit."""
    return run(path=TOOLKIT)


@detect(found=True, needs=["triton"], programs=["cc"])
def looks_where_none_is_listed() -> dict[str, Any]:
    """Nobody knows of the driver."""
    return ask()


@detect(found=True, needs=["triton"], programs=["cc"])
def looks_where_it_moved() -> dict[str, Any]:
    """The cache is out of date."""
    return ask(cached=BEFORE, search=DRIVER)


@detect(found=False, control="looks-where-none-is-listed", needs=["triton"], programs=["cc"])
def looks_where_it_is_listed() -> dict[str, Any]:
    """The cache lists it."""
    return ask(cached=DRIVER)


@detect(found=False, control="looks-where-none-is-listed", needs=["triton"], programs=["cc"])
def looks_where_it_is_searched() -> dict[str, Any]:
    """LD_LIBRARY_PATH names it."""
    return ask(search=DRIVER)


if __name__ == "__main__":
    main(__file__)
