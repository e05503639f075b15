"""The page's question to the Hub, and what may answer it."""

from __future__ import annotations

import contextlib
from typing import Any

from failure import REPO, publish

from fixbook.recipe import detect, snippet
from fixbook.recipe.helpers import local_hub

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
PORTAL = (200, {"Content-Type": "text/html"}, b"<html>Please log in to this network</html>")
LIMIT = (429, {"Content-Type": "text/plain"}, b"Too many requests")


def ask(answer: Any = None) -> dict[str, Any]:
    """Ask with the page's code."""
    with local_hub({REPO: answer}) if answer else contextlib.nullcontext():
        said = snippet("why")["why"](REPO)
    return {"found": said != "the Hub answers", "said": said}


@detect(found=True, env=ONLINE)
def asks_in_vain() -> dict[str, Any]:
    """No server of that name."""
    return ask()


@detect(found=True, env=ONLINE)
def asks_a_portal() -> dict[str, Any]:
    """It is not the Hub that answers."""
    return ask(PORTAL)


@detect(found=True, env=ONLINE)
def asks_too_often() -> dict[str, Any]:
    """The Hub limits the rate."""
    return ask(LIMIT)


@detect(found=False, control="asks-in-vain", env=ONLINE)
def asks_the_hub() -> dict[str, Any]:
    """The Hub answers."""
    return ask(publish())
