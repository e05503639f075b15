"""Files of which one row is unlike the others: loaded, checked, and loaded by older releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from datasets import Features, Value, load_dataset
from datasets.packaged_modules.json.json import JsonConfig
from failure import load, write

from fixbook.recipe import measure, snippet

LATE = '{"answer": 7, "prompt": "x", "note": "a key of its own"}'
ONE = {"answer": Value("int64"), "prompt": Value("string")}


def unlike(path: str) -> dict[str, Any]:
    """Ask the page's check whether a line of a file is broken, or a column of several types."""
    try:
        return {"found": False, "lines": snippet("check")["check_jsonl"](path)}
    except ValueError as error:
        return {"found": True, "message": str(error)}


def attempt(kind: str = "number", answer: Any = None, code: str = "", **file: Any) -> Any:
    """Load a file, with the page's ``code`` if it is named, and say what its last row became."""
    path = write(kind, **file)
    measure(file=path, block=JsonConfig().chunksize)
    page = snippet(code, path=path) if code else {}
    read = page.get("clean", path)
    measure(found=unlike(read)["found"])
    rows = page.get("rows") or load(read, answer)
    measure(type=str(rows.features["answer"]))
    return {"rows": len(rows), "first": rows[0]["answer"], "last": rows[-1]["answer"]}


def look(kind: str = "number", *, loads: bool = True, **file: Any) -> dict[str, Any]:
    """Load a file, if it loads at all, and check it with the page's code."""
    loaded = attempt(kind, **file) if loads else {}
    said = unlike(write(kind, **file))
    said.pop("lines", None)
    return {**loaded, **said}


def first_value(kind: str) -> dict[str, Any]:
    """Return the line of the first value of a column, as the page's check tells it."""
    lines = unlike(write(kind))["lines"]
    return {"found": lines["answer"] > lines["prompt"], "line": lines["answer"]}


def load_all(*files: str, columns: dict[str, Any] | None = None) -> Any:
    """Load one file or more, with all columns stated or none."""
    features = Features(columns) if columns else None
    return load_dataset("json", data_files=list(files), split="train", features=features)


def late(columns: dict[str, Any] | None = None) -> dict[str, Any]:
    """Load a file whose last line has a column of its own."""
    rows = load_all(write(end=LATE), columns=columns)
    return {"rows": len(rows), "first": rows[0]["note"], "last": rows[-1]["note"]}


def parts(rows: int) -> dict[str, Any]:
    """Load texts, and a list of parts behind them; found if it became a text."""
    loaded = load(write("parts", rows=rows))
    last = loaded[-1]["answer"]
    return {"found": last == str(last), "type": str(loaded.features["answer"]), "last": last}


def write_array(first: str, last: str) -> str:
    """Write a file that is one array of two rows."""
    Path("train.json").write_text(f'[{{"answer": {first}, "prompt": ""}},\n{{"answer"{last}}}]')
    return "train.json"


def look_at_array(first: str, last: str) -> dict[str, Any]:
    """Check an array with the page's code, and load it if it is sound."""
    said = unlike(write_array(first, last))
    said.pop("lines", None)
    return said if said["found"] else {**said, "rows": len(load("train.json"))}


def look_at_layouts() -> dict[str, Any]:
    """Check and load sound files of other layouts: how their bytes lie, and not what they hold."""
    rows = [{"answer": 7, "prompt": "x"}, {"answer": 8, "prompt": "y"}]
    lines, spread = [json.dumps(row) for row in rows], [json.dumps(row, indent=2) for row in rows]
    layouts = {
        "bom.jsonl": "\ufeff" + "\n".join(lines),
        "bom.json": "\ufeff" + json.dumps(rows),
        "empty-line.json": "\n" + json.dumps(rows, indent=2),
        "spread.jsonl": "\n".join(spread),
        "object.json": json.dumps({"version": 1, "data": rows}, indent=2),
    }
    found, loaded = [], 0
    for name, text in layouts.items():
        Path(name).write_text(text, "utf-8")
        found.append(unlike(name)["found"])
        loaded += len(load_all(name))
    return {"found": any(found), "asked": len(found), "rows": loaded}


def array(first: str, last: str) -> dict[str, Any]:
    """Load a file that is one array of two rows."""
    write_array(first, last)
    return {"type": str(load("train.json").features["answer"])}
