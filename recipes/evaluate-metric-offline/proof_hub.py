"""The Hub on this machine, within reach or not, and a folder of caches of this step's own."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import evaluate  # type: ignore[import-not-found]
import failure
import numpy as np
from evaluate import config

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.local_http import local_http

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = "http://127.0.0.1:9"
SCRIPT = "/spaces/evaluate-metric/accuracy/resolve/main/accuracy.py"
WRONG = failure.METRIC.replace("/ len(references)", "* 100")
FETCHES = "from .parts import two  # From: http://127.0.0.1:9/parts.py\n"
PAGE = "<html>\n<body>\n  <p>No Spaces here.</p>\n</body>\n</html>\n"
PARTS = "def two():\n    return 2\n"


def at(address: str) -> None:
    """Let evaluate ask this address, and keep what it loads here."""
    config.HF_ENDPOINT = address
    config.HUB_EVALUATE_URL = address + "/spaces/{path}/resolve/{revision}/{name}"
    config.HF_UPDATE_DOWNLOAD_COUNTS = False
    here = Path.cwd()
    config.HF_MODULES_CACHE = str(here / "modules")
    config.DOWNLOADED_EVALUATE_PATH = str(here / "downloads")
    measure(evaluate=evaluate.__version__)


@contextmanager
def hub(*, reach: bool, path: str = SCRIPT, text: str = failure.METRIC) -> Iterator[str]:
    """Have a Hub that answers, with this text at this path, or one that does not."""
    if not reach:
        at(NOBODY)
        yield NOBODY
        return
    with local_http({path: text}) as address:
        at(address)
        yield address


def loaded(
    name: str = "accuracy",
    *,
    reach: bool = True,
    before: bool = False,
    lines: str = "",
    text: str = failure.METRIC,
) -> dict[str, Any]:
    """Load a metric by its name, after it was loaded once.

    Lines of the page, if given, score in its place; the script lies where they expect it.
    """
    if before:
        with hub(reach=True):
            failure.score()
    measure(name=name)
    with hub(reach=reach, text=text):
        if lines:
            return by_lines(lines)
        return {"accuracy": failure.score(name)}


def by_lines(name: str) -> dict[str, Any]:
    """Let the page's lines score."""
    failure.save("metrics/accuracy/accuracy.py")
    said = snippet(name, np=np)
    if name == "local":
        got = said["metric"].compute(predictions=[1, 2], references=[1, 1])
    else:
        logits = np.array([[0.0, 1.0], [2.0, 1.0]])
        got = said["compute_metrics"]((logits, np.array([1, 1])))
    score = float(got["accuracy"])
    return {"found": score > 1, "accuracy": score}


def own(kind: str) -> dict[str, Any]:
    """Load a metric beside files of one's own: the kind says which."""
    with hub(reach=True):
        name = "./parted" if kind in ("elsewhere", "beside") else "accuracy"
        if kind == "folder":
            failure.save("accuracy/accuracy.py", WRONG)
        if kind == "beside":
            failure.save("parted/parts.py", PARTS)
        first = (
            FETCHES.format(address=NOBODY) if kind == "elsewhere" else "from .parts import two\n"
        )
        failure.save("parted/parted.py", first + failure.METRIC)
        score = failure.score(name)
    return {"found": score > 1, "accuracy": score}


def asked(*, reach: bool = True, path: str = SCRIPT, text: str = failure.METRIC) -> dict[str, Any]:
    """Let the page's lines ask the Hub."""
    with hub(reach=reach, path=path, text=text):
        answer = snippet("ask")["answer"]
    return {"found": answer != "200", "answer": answer}
