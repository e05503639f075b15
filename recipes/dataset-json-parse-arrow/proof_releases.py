"""What releases of `datasets` make of two types in one column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import load, write

from fixbook.recipe import detect, reproduce

ONCE = "an older release of datasets beside the main one, imported anew"
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
BEFORE_JSON = ["datasets==4.6.1", *HTTP]
WITH_JSON = ["datasets==4.7.0", *HTTP]
OLDER = ["datasets==3.6.0"]


def attempt(rows: int) -> dict[str, Any]:
    """Load texts, and a list of parts behind them; found if it became a text."""
    loaded = load(write("parts", rows=rows))
    last = loaded[-1]["answer"]
    return {"found": last == str(last), "type": str(loaded.features["answer"]), "last": last}


@reproduce(versions=OLDER, record_once=ONCE)
def second_row_on_3_6() -> dict[str, Any]:
    """So it was before."""
    return attempt(1)


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def second_row_on_4_6() -> dict[str, Any]:
    """Two rows are enough."""
    return attempt(1)


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def late_parts_on_4_6() -> dict[str, Any]:
    """Far down it is an error."""
    return attempt(11_000)


@detect(found=True, versions=WITH_JSON, record_once=ONCE)
def late_parts_on_4_7() -> dict[str, Any]:
    """Far down it becomes a text."""
    return attempt(11_000)


@detect(found=False, control="late-parts-on-4-7", versions=WITH_JSON, record_once=ONCE)
def second_row_on_4_7() -> dict[str, Any]:
    """Two rows load as they are."""
    return attempt(1)


def array(last: str) -> dict[str, Any]:
    """Load a file that is one array of two rows; found if its types became ``Json``."""
    Path("train.json").write_text(f'[{{"answer": 7, "prompt": ""}},\n{{"answer"{last}}}]')
    column = str(load("train.json").features["answer"])
    return {"found": column == "Json(decode=True)", "type": column}


MIXED = ': "7 apples", "prompt": ""'
NO_COMMA = ': 8 "prompt": ""'


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def array_on_4_6() -> dict[str, Any]:
    """The reason is the second exception."""
    return array(MIXED)


@detect(found=True, versions=WITH_JSON, record_once=ONCE)
def array_on_4_7() -> dict[str, Any]:
    """It loads as it is."""
    return array(MIXED)


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def broken_array_on_4_6() -> dict[str, Any]:
    """A comma is missing, and the last exception does not say so."""
    return array(NO_COMMA)


@reproduce()
def broken_array() -> dict[str, Any]:
    """A comma is missing."""
    return array(NO_COMMA)
