"""What is not in the cache has to be asked of the Hub, and the Hub is not reached."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
from typing import Any

import huggingface_hub
from failure import ALL, REPO, WEIGHTS, download, load, publish

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import local_hub

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
OFFLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "1"}
PORTAL = (200, {"Content-Type": "text/html"}, b"<html>Please log in to this network</html>")
LIMIT = (429, {"Content-Type": "text/plain"}, b"Too many requests")
ONCE = "huggingface_hub waits 23 seconds between its tries"


def attempt(answer: Any = None, **options: Any) -> dict[str, Any]:
    """Load by name; ``answer`` is what answers for the Hub, by default nobody."""
    publish()
    measure(offline=huggingface_hub.constants.HF_HUB_OFFLINE)
    with local_hub({REPO: answer}) if answer else contextlib.nullcontext():
        return {"temperature": load(**options).generation_config.temperature}


def from_cache(names: list[str], name: str = REPO) -> dict[str, Any]:
    """Bring these files into the cache, and load in offline mode."""
    with local_hub({REPO: publish()}):
        download(names)
    # What HF_HUB_OFFLINE=1 does as the library is imported: every request raises from now on.
    huggingface_hub.constants.HF_HUB_OFFLINE = True
    found = []
    if names:
        try:
            snippet("cached", repo=REPO)
        except FileNotFoundError as error:
            found = [str(error)]
    model = load(name)
    return {
        "found": bool(found),
        "message": "".join(found),
        "temperature": str(model.generation_config.temperature),
    }


@reproduce(env=ONLINE, record_once=ONCE)
def nobody_answers() -> dict[str, Any]:
    """The name of the server leads nowhere."""
    return attempt()


@reproduce(env=ONLINE)
def a_portal_answers() -> dict[str, Any]:
    """A page of the network's own, with status 200."""
    return attempt(PORTAL)


@reproduce(env=ONLINE, record_once=ONCE)
def too_many_requests() -> dict[str, Any]:
    """The Hub is there, and refuses everything for a while."""
    return attempt(LIMIT)


@reproduce(env=ONLINE, record_once=ONCE)
def local_files_only() -> dict[str, Any]:
    """Told to use local files; a request is made all the same."""
    return attempt(local_files_only=True)


@reproduce(env=ONLINE)
def nothing_in_the_cache() -> dict[str, Any]:
    """Offline mode, and nothing is there."""
    return from_cache([])


@fix("download", control="nothing-in-the-cache", env=ONLINE)
def all_in_the_cache() -> dict[str, Any]:
    """All files were brought there before."""
    return from_cache(ALL)


@fix("folder", control="nothing-in-the-cache", env=ONLINE)
def a_folder() -> dict[str, Any]:
    """A path instead of a name."""
    return from_cache([], "published")


@fix("reach-it", control="nobody-answers", env=ONLINE)
def through_a_proxy() -> dict[str, Any]:
    """A proxy leads to a server that answers."""
    return attempt(publish())


@non_fix("offline-mode", control="nobody-answers", env=OFFLINE)
def told_to_be_offline() -> dict[str, Any]:
    """The same words at once."""
    return attempt()


@detect(found=True, env=ONLINE)
def weights_alone_in_the_cache() -> dict[str, Any]:
    """It loads, and samples as nobody meant it to."""
    return from_cache(WEIGHTS)


@detect(found=False, control="weights-alone-in-the-cache", env=ONLINE)
def everything_in_the_cache() -> dict[str, Any]:
    """It samples as it was published."""
    return from_cache(ALL)


if __name__ == "__main__":
    main(__file__)
