"""`datasets` takes the types of a JSON file from its first 10 MiB, and a later row differs."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "datasets==5.2.0", "pyarrow==26.0.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from datasets import Value
from datasets.packaged_modules.json.json import JsonConfig
from failure import load, write

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet

BROKEN = '{"answer": 7 "prompt": "a comma is missing"}'


def unlike(path: str) -> bool:
    """Ask the page's check whether a line of a file is broken, or a column of several types."""
    try:
        snippet("check")["check_jsonl"](path)
    except ValueError:
        return True
    return False


def attempt(kind: str = "number", answer: Any = None, code: str = "", **file: Any) -> Any:
    """Load a file, with the page's ``code`` if it is named, and say what its last row became."""
    path = write(kind, **file)
    measure(file=path, block=JsonConfig().chunksize)
    page = snippet(code, path=path) if code else {}
    read = page.get("clean", path)
    measure(found=unlike(read))
    rows = page.get("rows") or load(read, answer)
    measure(type=str(rows.features["answer"]))
    return {"rows": len(rows), "first": rows[0]["answer"], "last": rows[-1]["answer"]}


@reproduce()
def late_text() -> Any:
    """Eleven thousand numbers, then a text."""
    return attempt()


@reproduce()
def late_value() -> Any:
    """Nothing but null, then a text."""
    return attempt("empty")


@reproduce()
def broken_line() -> Any:
    """A line that is no JSON."""
    return attempt(end=BROKEN)


@reproduce()
def line_of_an_array() -> Any:
    """A line that holds a list, and no object."""
    return attempt(rows=1, end="[7]")


@reproduce()
def no_json_at_all() -> Any:
    """What lies there as long as Git LFS has fetched nothing."""
    return attempt(rows=0, end="version https://git-lfs.github.com/spec/v1")


@fix("one-type", control="late-text")
def one_type() -> Any:
    """All answers rewritten as texts."""
    return attempt(code="one-type")


@fix("json-column", control="late-text")
def json_column() -> Any:
    """The column may hold anything."""
    return attempt(code="json-column")


@fix("state-the-type", control="late-value")
def stated_type() -> Any:
    """The type is known before the first row is read."""
    return attempt("empty", Value("string"))


@fix("mend-the-line", control="broken-line")
def mended_line() -> Any:
    """The comma is there."""
    return attempt(end=BROKEN.replace("7 ", "7, "))


@non_fix("string-feature", control="late-text")
def string_feature() -> Any:
    """The type is stated as a text, and the numbers are none."""
    return attempt(answer=Value("string"))


@non_fix("rename", control="late-text")
def renamed() -> Any:
    """The same lines in a file of another name."""
    return attempt(ending="json")


if __name__ == "__main__":
    main(__file__)
