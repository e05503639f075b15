"""Files that datasets 4 or later wrote, and an older release that does not know their types."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "datasets==5.2.0", "pyarrow==26.0.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_list import looked, of_json, parquet, saved

from fixbook.recipe import detect, fix, main, reproduce

LAST_3 = ["datasets==3.6.0", "huggingface_hub==0.36.0"]
FIRST_4 = ["datasets==4.0.0", "huggingface_hub==0.36.0"]
ONCE = "another datasets, imported anew"


@reproduce(versions=LAST_3, record_once=ONCE)
def parquet_read_by_3_6() -> dict[str, Any]:
    """A Parquet file of today's datasets."""
    return parquet()


@reproduce(versions=LAST_3, record_once=ONCE)
def folder_read_by_3_6() -> dict[str, Any]:
    """A folder that today's save_to_disk wrote."""
    return saved()


@fix("newer", control="parquet-read-by-3-6", versions=FIRST_4, record_once=ONCE)
def parquet_read_by_4_0() -> dict[str, Any]:
    """The first release that knows the type."""
    return parquet()


@fix("newer", control="folder-read-by-3-6", versions=FIRST_4, record_once=ONCE)
def folder_read_by_4_0() -> dict[str, Any]:
    """It reads the folder too."""
    return saved()


@fix("strip", control="parquet-read-by-3-6", versions=LAST_3, record_once=ONCE)
def parquet_stripped() -> dict[str, Any]:
    """The description is dropped from the file."""
    return parquet(strip=True)


@reproduce(versions=FIRST_4, record_once=ONCE)
def json_read_by_4_0() -> dict[str, Any]:
    """A type that came later than List."""
    return of_json()


@fix("newer", control="json-read-by-4-0")
def json_read_today() -> dict[str, Any]:
    """The release that wrote it."""
    return of_json()


@fix("features", control="parquet-read-by-3-6", versions=LAST_3, record_once=ONCE)
def parquet_with_features() -> dict[str, Any]:
    """The older release is told the types."""
    return parquet("features")


@fix("rewrite", control="folder-read-by-3-6", versions=LAST_3, record_once=ONCE)
def folder_written_anew() -> dict[str, Any]:
    """The older release writes the folder anew, without the description."""
    return saved("rewrite")


@detect(found=True, versions=LAST_3, record_once=ONCE)
def file_of_5() -> dict[str, Any]:
    """The description names the type."""
    return looked()


@detect(found=False, control="file-of-5", versions=LAST_3, record_once=ONCE)
def file_of_3_6() -> dict[str, Any]:
    """The same data, written by the older release itself."""
    return looked(own=True)


if __name__ == "__main__":
    main(__file__)
