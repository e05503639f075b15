"""What becomes of a data set that comes as a script, by each piece of advice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
from datasets import load_dataset
from failure import load, write
from proof_hub import REPO, on_hub

from fixbook.recipe import measure, snippet


def local(*, run: bool = False, **options: Any) -> dict[str, Any]:
    """Load the folder with the script, or run the script by the page's lines."""
    write()
    measure(datasets=datasets.__version__, given=", ".join(f"{k}={v}" for k, v in options.items()))
    if not run:
        return {"sample": load(**options)}
    loaded = snippet("run")["data"]
    out = {"sample": dict(loaded["train"][0]), "splits": sorted(loaded)}
    return out | {"found": snippet("script")["has_script"]("converted")}


def hub(*, converted: bool = False) -> dict[str, Any]:
    """Load it from the Hub, or its conversion by the page's lines."""

    def work() -> dict[str, Any]:
        if not converted:
            return {"sample": load(REPO)}
        done = snippet("branch")["data"]
        Path("poems").mkdir()
        found = snippet("script")["has_script"](REPO, "refs/convert/parquet")
        return {"sample": dict(done["train"][0]), "splits": sorted(done), "found": found}

    return on_hub(work)


def looked(*, taken_away: bool = False) -> dict[str, Any]:
    """Ask the page's question of a folder, and load it."""
    write()
    if taken_away:
        Path("poems/poems.py").rename("poems/prepare.py")
    found = snippet("script")["has_script"]("poems")
    try:
        loaded = load() != {}
    except RuntimeError:
        loaded = False
    return {"found": found, "loaded": loaded}


def looked_on_hub() -> dict[str, Any]:
    """Ask the page's question of a repository."""
    Path("poems").mkdir()
    return on_hub(lambda: {"found": snippet("script")["has_script"](REPO)})


def compared(*, run: bool) -> dict[str, Any]:
    """Load the rows without the script, or what the script made; look at the columns."""
    write()
    if run:
        data = snippet("run")["data"]["train"]
    else:
        Path("poems/poems.py").unlink()
        data = load_dataset("poems")["train"]
    out = {"columns": sorted(data.column_names), "first": str(data[0])}
    try:
        snippet("columns", data=data)
    except AssertionError as error:
        return out | {"found": True, "message": str(error)}
    return out | {"found": False}
