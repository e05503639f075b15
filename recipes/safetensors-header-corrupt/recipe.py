"""A file that is no safetensors file, or not all of one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "safetensors==0.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_file import attempt, look, sound, unwritten, usual

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["safetensors==0.4.3"]


@reproduce()
def pointer() -> dict[str, Any]:
    """What a clone leaves without Git LFS."""
    return attempt("pointer")


@reproduce()
def page() -> dict[str, Any]:
    """What is saved from the address of a page."""
    return attempt("page")


@reproduce()
def by_torch() -> dict[str, Any]:
    """A format of its own, under the name of the other."""
    return attempt("by torch")


@reproduce()
def last_byte_missing() -> dict[str, Any]:
    """A download that ended one byte early."""
    return attempt("last byte missing")


@reproduce()
def cut_in_the_header() -> dict[str, Any]:
    """A download that hardly began."""
    return attempt("cut in the header")


@reproduce()
def empty() -> dict[str, Any]:
    """A download that did not begin."""
    return attempt("empty")


@reproduce()
def all_zeros() -> dict[str, Any]:
    """A size that was reserved, and nothing written."""
    return attempt("all zeros")


@reproduce()
def bytes_after_the_end() -> dict[str, Any]:
    """A file that was published with one byte too many."""
    return attempt("bytes after the end")


@detect(found=True)
def names_the_pointer() -> dict[str, Any]:
    """It begins with a version of Git LFS."""
    return look("pointer")


@detect(found=True)
def counts_the_missing_byte() -> dict[str, Any]:
    """One less than the header promises."""
    return look("last byte missing")


@detect(found=True)
def counts_the_byte_too_many() -> dict[str, Any]:
    """One more than the header promises."""
    return look("bytes after the end")


@detect(found=True)
def names_the_zeros() -> dict[str, Any]:
    """No length, and no header."""
    return look("all zeros")


@detect(found=False, control="counts-the-missing-byte")
def accepts_the_whole() -> dict[str, Any]:
    """As many as the header promises."""
    return look("whole")


@detect(found=False)
def accepts_usual_files() -> dict[str, Any]:
    """Other dtypes, with metadata, of one value, of none, without tensors."""
    return usual()


@fix("fetch-again", control="pointer")
def fetched() -> dict[str, Any]:
    """The file itself."""
    return attempt("whole")


@fix("fetch-again", control="last-byte-missing")
def fetched_to_the_end() -> dict[str, Any]:
    """With its last byte."""
    return attempt("whole")


@fix("cut-the-rest", control="bytes-after-the-end")
def cut_to_size() -> dict[str, Any]:
    """The lines of the page cut what the header does not name."""
    return attempt("bytes after the end", cut=True)


@non_fix("another-release", control="pointer", versions=OLD)
def pointer_on_0_4_3() -> dict[str, Any]:
    """The words of that release, for the same file."""
    return attempt("pointer")


@reproduce(versions=OLD)
def last_byte_missing_on_0_4_3() -> dict[str, Any]:
    """The same in the words of 2024."""
    return attempt("last byte missing")


@reproduce(versions=OLD)
def all_zeros_on_0_4_3() -> dict[str, Any]:
    """The same in the words of 2024."""
    return attempt("all zeros")


@detect(found=True)
def tail_of_zeros() -> dict[str, Any]:
    """Of full size, written by half."""
    return unwritten("zeros")


@detect(found=False, control="tail-of-zeros")
def tail_written() -> dict[str, Any]:
    """The file itself."""
    return unwritten("whole")


@detect(found=True, versions=OLD)
def newer_dtype_on_0_4_3() -> dict[str, Any]:
    """A dtype that this release does not know."""
    return sound("F8_E8M0")


@detect(found=False, control="newer-dtype-on-0-4-3")
def newer_dtype() -> dict[str, Any]:
    """The release of today does."""
    return sound("F8_E8M0")


@detect(found=True)
def header_over_100_mb() -> dict[str, Any]:
    """One byte over the limit."""
    return sound("U8", 100_000_001)


@detect(found=False, control="header-over-100-mb")
def header_of_100_mb() -> dict[str, Any]:
    """As many as are allowed."""
    return sound("U8", 100_000_000)


if __name__ == "__main__":
    main(__file__)
