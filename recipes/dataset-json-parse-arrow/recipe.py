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
from failure import write
from proof_files import (
    LATE,
    ONE,
    array,
    attempt,
    first_value,
    late,
    load_all,
    look,
    look_at_array,
    look_at_layouts,
    parts,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BROKEN = '{"answer": 7 "prompt": "a comma is missing"}'
ONCE = "an older release of datasets beside the main one, imported anew"
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
BEFORE_JSON = ["datasets==4.6.1", *HTTP]
WITH_JSON = ["datasets==4.7.0", *HTTP]


@reproduce()
def late_text() -> Any:
    """Eleven thousand numbers, then a text."""
    return attempt()


@reproduce()
def late_fraction() -> Any:
    """Integers, and a number with a fraction behind them."""
    return attempt(end='{"answer": 0.5, "prompt": "x"}')


@reproduce()
def late_date() -> Any:
    """Texts that are read as times, and one that is none."""
    return attempt("dates")


@reproduce()
def late_value() -> Any:
    """Nothing but null, then a text."""
    return attempt("empty")


@reproduce()
def late_key() -> Any:
    """Objects in a column, the last with one key more."""
    return attempt("keys")


@reproduce()
def late_column() -> Any:
    """A column that no row before it has."""
    return late()


@reproduce()
def another_file() -> Any:
    """The second file has a column that the first has not."""
    return load_all(write("texts", rows=1), write("texts", rows=1, ending="json", end=LATE))


@reproduce()
def broken_line() -> Any:
    """A line that is no JSON."""
    return attempt(end=BROKEN)


@reproduce()
def line_of_an_array() -> Any:
    """A line that holds a list, and no object."""
    return attempt(rows=1, end="[7]")


@reproduce()
def broken_array() -> Any:
    """A comma is missing in a file that is one array."""
    return array("7", ': 8 "prompt": ""')


@reproduce()
def no_json_at_all() -> Any:
    """What lies there as long as Git LFS has fetched nothing."""
    return attempt(rows=0, end="version https://git-lfs.github.com/spec/v1")


@detect(found=True)
def finds_another_type() -> Any:
    """A content in parts, far down among texts, has become a text without a word."""
    return look("parts")


@detect(found=False, control="finds-another-type")
def accepts_one_type() -> Any:
    """All contents are texts."""
    return look("texts")


@detect(found=True)
def finds_a_broken_line() -> Any:
    """The number of the line in the file."""
    return look("number", loads=False, end=BROKEN)


@detect(found=True)
def tells_a_late_value() -> Any:
    """Where the first value of a column stands that begins with nulls."""
    return first_value("empty")


@detect(found=False)
def accepts_fewer_keys() -> Any:
    """An object that lacks a key is read with null in its place."""
    return look("fewer-keys")


@detect(found=True)
def finds_a_late_text_among_dates() -> Any:
    """All are texts, and the first of them are read as times."""
    return look("dates", loads=False)


@detect(found=False)
def accepts_what_widens() -> Any:
    """Integers become fractions within a block, and empty lines are none."""
    return look(rows=2, end='\n{"answer": 0.5, "prompt": "x"}\n')


@detect(found=True)
def finds_a_broken_line_of_an_array() -> Any:
    """A comma is missing."""
    return look_at_array("7", ': 8 "prompt": ""')


@detect(found=False, control="finds-a-broken-line-of-an-array")
def accepts_an_array() -> Any:
    """It is there."""
    return look_at_array("7", ': 8, "prompt": ""')


@detect(found=False, needs=["datasets>=5"])  # 3.5.1 loads no array behind a BOM
def accepts_other_layouts() -> Any:
    """Sound files whose bytes lie otherwise."""
    return look_at_layouts()


@fix("one-type", control="late-text")
def one_type() -> Any:
    """All answers rewritten as texts."""
    return attempt(code="one-type")


@fix("mend-the-line", control="broken-line")
def mended_line() -> Any:
    """The comma is there."""
    return attempt(end=BROKEN.replace("7 ", "7, "))


@fix("json-column", control="late-text")
def json_column() -> Any:
    """The column may hold anything."""
    return attempt(code="json-column")


@fix("json-column", control="late-key")
def json_column_of_objects() -> Any:
    """Objects stay as they are, each with its own keys."""
    return attempt("keys", code="json-column")


@fix("state-the-type", control="late-value")
def stated_type() -> Any:
    """The type is known before the first row is read."""
    return attempt("empty", code="stated")


@fix("state-the-type", control="late-date")
def stated_date() -> Any:
    """A text, and no time."""
    return attempt("dates", code="stated")


@fix("state-the-type", control="late-date")
def dates_from_a_list() -> Any:
    """Python reads the lines, and makes no times of them."""
    return attempt("dates", code="listed")


@fix("state-the-type", control="late-column")
def stated_column() -> Any:
    """Rows before it hold null."""
    return late({**ONE, "note": Value("string")})


@non_fix("string-feature", control="late-text")
def string_feature() -> Any:
    """The type is stated as a text, and the numbers are none."""
    return attempt(answer=Value("string"))


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def second_row_on_4_6() -> Any:
    """Two rows are enough."""
    return parts(1)


@detect(found=True, versions=WITH_JSON, record_once=ONCE)
def late_parts_on_4_7() -> Any:
    """Far down it becomes a text."""
    return parts(11_000)


@detect(found=False, control="late-parts-on-4-7", versions=WITH_JSON, record_once=ONCE)
def second_row_on_4_7() -> Any:
    """Two rows load as they are."""
    return parts(1)


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def late_parts_on_4_6() -> Any:
    """Far down it is an error."""
    return parts(11_000)


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def array_on_4_6() -> Any:
    """A number, then a text: the reason is the second exception."""
    return array("7", ': "7 apples", "prompt": ""')


@reproduce(versions=BEFORE_JSON, record_once=ONCE)
def texts_first_on_4_6() -> Any:
    """A text, then a number: the same in other words."""
    return array('"7 apples"', ': 7, "prompt": ""')


if __name__ == "__main__":
    main(__file__)
