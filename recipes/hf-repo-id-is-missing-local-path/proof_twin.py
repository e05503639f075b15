"""A short path is a valid name, and the Hub may know it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from failure import load, save, weight

from fixbook.recipe import detect, measure, snippet
from fixbook.recipe.helpers import local_hub

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}


def elsewhere(path: str, folder: str) -> dict[str, Any]:
    """Load my model by a short path from another folder, while the Hub has one of that name."""
    mine = weight(load(str(save("here/team/model"))))
    theirs = save("hub", seed=1)
    Path(folder).mkdir(exist_ok=True)
    os.chdir(folder)
    with local_hub({"team/model": theirs}) as asked:
        model = load(path)
    measure(requests=len([line for line in asked if "team/model" in line]))
    try:
        snippet("local")["local_folder"](path)
        message = ""
    except FileNotFoundError as error:
        message = str(error)
    return {"found": weight(model) != mine and bool(message), "mine": weight(model) == mine}


@detect(found=True, env=ONLINE)
def short_path_elsewhere() -> dict[str, Any]:
    """One slash is a valid name, and the Hub has it."""
    return elsewhere("team/model", "there")


@detect(found=False, control="short-path-elsewhere", env=ONLINE)
def short_path_here() -> dict[str, Any]:
    """The same path, where the folder is."""
    return elsewhere("team/model", "here")
