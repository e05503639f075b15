"""What is left of an actor of Ray whose process has ended."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "ray==2.60.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import ray
from failure import cluster, train, trainer

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

ENV = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
RAY: dict[str, Any] = {"env": ENV, "needs": ["ray"], "timeout_s": 120}


def run(how: str, *, restarts: int = 0, restore: bool = False) -> dict[str, Any]:
    """Train three steps with an actor that ends at the third."""
    with cluster(actor_lines=how != "raised"):
        options = {"max_restarts": restarts, "max_task_retries": restarts}
        actor = ray.remote(**options)(trainer(how, restore=restore)).remote()
        first = ray.get(actor.pid.remote())
        steps = train(actor)
        measure(steps=steps, new_process=ray.get(actor.pid.remote()) != first)
        if steps != [1, 2, 3]:
            raise RuntimeError(f"the actor has lost steps: {steps}")
    return {}


def last_words(how: str, *, restarts: int = 0, restore: bool = False) -> dict[str, Any]:
    """Look at what the process has left in the logs, or the one that has taken its place."""
    with cluster() as logs:
        options = {"max_restarts": restarts, "max_task_retries": restarts}
        actor = ray.remote(**options)(trainer(how, restore=restore)).remote()
        pid = ray.get(actor.pid.remote())
        try:
            measure(steps=train(actor))
            pid = ray.get(actor.pid.remote())
        except ray.exceptions.ActorDiedError as error:
            measure(end_of_file="connection error code 2. End of file" in str(error))
        said = snippet("last-words", logs=str(logs), pid=pid)["said"]
    return {"found": bool(said), "lines": len(said), "names": any("string_at" in x for x in said)}


@reproduce(**RAY)
def killed() -> dict[str, Any]:
    """Nobody says who killed it."""
    return run("killed")


@reproduce(**RAY)
def raised_in_init() -> dict[str, Any]:
    """Here the message has the traceback."""
    return run("raised")


@fix("restore", control="killed", **RAY)
def restarted_and_restored() -> dict[str, Any]:
    """A new process, from what the old one saved."""
    return run("killed", restarts=1, restore=True)


@non_fix("restart", control="killed", **RAY)
def restarted() -> dict[str, Any]:
    """A new process, from nothing."""
    return run("killed", restarts=1)


@detect(found=True, **RAY)
def crashed() -> dict[str, Any]:
    """A crash leaves its frames."""
    return last_words("crashed")


@detect(found=False, control="crashed", **RAY)
def killed_and_silent() -> dict[str, Any]:
    """SIGKILL leaves nothing."""
    return last_words("killed")


@detect(found=False, control="crashed", **RAY)
def left_and_silent() -> dict[str, Any]:
    """os._exit leaves nothing, and no signal either."""
    return last_words("left")


@detect(found=False, control="crashed", **RAY)
def restored_and_sound() -> dict[str, Any]:
    """The process that took over has nothing to tell."""
    return last_words("crashed", restarts=1, restore=True)


if __name__ == "__main__":
    main(__file__)
