"""The job around the script: no key and no terminal, a Trainer, and a server that takes a key."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import failure
import transformers
import wandb  # type: ignore[import-not-found]
from transformers import Trainer, TrainingArguments

from fixbook.recipe import measure, run_snippet, snippet, snippet_text
from fixbook.recipe.helpers import tiny_llama
from fixbook.recipe.helpers.local_http import local_http

ROWS = [{"input_ids": [5, 6, 7, 8], "labels": [5, 6, 7, 8]}] * 4
BUCKET = {
    "id": "UnVu",
    "name": "run",
    "displayName": "run",
    "config": None,
    "historyLineCount": 0,
    "project": {"id": "p", "name": "tiny", "entity": {"id": "e", "name": "me"}},
}
ANSWER = {
    "data": {
        "viewer": {"id": "v", "username": "me", "entity": "me", "flags": "{}"},
        "serverInfo": {"features": []},
        "upsertBucket": {"bucket": BUCKET, "inserted": True},
        "createRunFiles": {"runID": "UnVu", "uploadHeaders": [], "files": []},
    }
}


def without_key() -> None:
    """Be a job on a machine where nobody has logged in."""
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    os.environ.pop("WANDB_API_KEY", None)
    home = str(Path.cwd())
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    os.environ |= {"HOME": home, "NETRC": f"{home}/.netrc", "PATH": path}
    os.environ["WANDB_ERROR_REPORTING"] = "false"
    measure(wandb=wandb.__version__, disabled=os.environ.get("WANDB_DISABLED", ""))


def job(lines: str | None = None) -> dict[str, Any]:
    """Run the script as it is, or by lines of the page; a server of this machine is wandb's."""
    without_key()
    Path(".secrets").mkdir()
    Path(".secrets/wandb").write_text("k" * 40 + "\n")
    given: list[str] = []
    losses: list[float] = []

    def answer(_: str, path: str, headers: Any, body: bytes) -> Any:
        given.append(headers.get("Authorization", ""))
        if path.endswith("/file_stream"):
            files = json.loads(body).get("files") or {}
            rows = files.get("wandb-history.jsonl", {}).get("content", [])
            losses.extend(json.loads(row)["loss"] for row in rows)
        return 200, {"Content-Type": "application/json"}, json.dumps(ANSWER).encode()

    with local_http(answer) as address:
        os.environ["WANDB_BASE_URL"] = address
        if lines is None:
            return failure.train()
        script = snippet_text("ask") + Path(failure.__file__).read_text()
        Path("train.py").write_text(script)
        done = run_snippet(lines)
    kept = [one.name.split("-")[0] for one in sorted(Path("wandb").glob("*run-*"))]
    out = {"code": done.returncode, "kept": kept, "found": "AssertionError" in done.stdout}
    return out | {"with_key": bool(given) and all(given), "losses": len(losses)}


def trainer(model: Any, **options: Any) -> Any:
    """Return a Trainer; what is not said about logging is left to it."""
    most: dict[str, Any] = {"max_steps": 2, "logging_steps": 1, "use_cpu": True}
    arguments = TrainingArguments("out", disable_tqdm=True, **most | options)
    return Trainer(model, arguments, train_dataset=ROWS)


def by_trainer(**options: Any) -> dict[str, Any]:
    """Train with a Trainer in such a job."""
    without_key()
    given = options.get("report_to", "not given")
    measure(transformers=transformers.__version__, given=str(given))
    made = trainer(tiny_llama(), **options)
    measure(report_to=made.args.report_to)
    made.train()
    return {"steps": made.state.global_step}


def asked() -> dict[str, Any]:
    """Ask the page's question of this job."""
    without_key()
    names: dict[str, Any] = {}
    try:
        names = snippet("ask")
    except AssertionError as error:
        return {"found": True, "message": str(error)}
    return {"found": False, "mode": names["mode"]}


def reported() -> dict[str, Any]:
    """Ask a Trainer, that nobody has told where to log, where it does."""
    without_key()
    made = trainer(tiny_llama())
    out = {"transformers": transformers.__version__, "report_to": made.args.report_to}
    try:
        snippet("told", trainer=made)
    except AssertionError:
        return out | {"found": True}
    return out | {"found": False}
