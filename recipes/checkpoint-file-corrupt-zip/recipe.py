"""A checkpoint that was not written, or not fetched, to its end."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_file import by_ranks, fetch, flip, look_at, look_at_others, look_without_sums, save

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def saved_over() -> dict[str, Any]:
    """The old checkpoint is gone, the new one is not all there."""
    return save("over")


@reproduce()
def last_byte_missing() -> dict[str, Any]:
    """The index of the archive stands at its end."""
    return fetch("cut")


@reproduce()
def sent_as_text() -> dict[str, Any]:
    """Every line end has one byte more than the index counts with."""
    return fetch("text")


@reproduce()
def pointer() -> dict[str, Any]:
    """118 is the letter v, of version."""
    return fetch("pointer")


@reproduce()
def saved_by_every_rank() -> dict[str, Any]:
    """The second begins anew while the first still writes."""
    return by_ranks(as_printed=False)


@reproduce()
def unpacked() -> dict[str, Any]:
    """The objects alone, without the tensors that they name."""
    return fetch("unpacked")


@reproduce()
def empty() -> dict[str, Any]:
    """Not a byte was written."""
    return fetch("empty")


@reproduce()
def page() -> dict[str, Any]:
    """60 is what a web page begins with."""
    return fetch("page")


@detect(found=True)
def names_the_pointer() -> dict[str, Any]:
    """No archive, and how it begins."""
    return look_at("pointer")


@detect(found=True)
def finds_no_archive() -> dict[str, Any]:
    """It begins as an archive does, and does not end as one."""
    return look_at("cut")


@detect(found=True)
def finds_the_line_ends() -> dict[str, Any]:
    """Its index is there, and the records are not where it says."""
    return look_at("text")


@detect(found=False, control="finds-no-archive")
def accepts_the_whole() -> dict[str, Any]:
    """All sums agree."""
    return look_at("whole")


@detect(found=False)
def accepts_other_files() -> dict[str, Any]:
    """An empty one, one with objects, and a script."""
    return look_at_others()


@detect(found=True)
def names_the_old_format() -> dict[str, Any]:
    """A whole file without an index is not called broken."""
    return look_at("whole", _use_new_zipfile_serialization=False)


@detect(found=True)
def misses_the_sums() -> dict[str, Any]:
    """A whole file that was saved without sums."""
    return look_without_sums()


@fix("fetch-again", control="last-byte-missing")
def fetched() -> dict[str, Any]:
    """The file, whole."""
    return fetch("whole")


@fix("fetch-again", control="sent-as-text")
def sent_as_it_is() -> dict[str, Any]:
    """The file, byte by byte."""
    return fetch("whole")


@fix("fetch-again", control="pointer")
def fetched_instead() -> dict[str, Any]:
    """The file that the pointer stands for."""
    return fetch("whole")


@fix("fetch-again", control="unpacked")
def packed() -> dict[str, Any]:
    """The archive, as it was."""
    return fetch("whole")


@fix("one-writer", control="saved-by-every-rank")
def saved_by_rank_0() -> dict[str, Any]:
    """The page's lines, on both."""
    return by_ranks(as_printed=True)


@fix("aside", control="saved-over")
def saved_aside() -> dict[str, Any]:
    """The old checkpoint is there until the new one is."""
    return save("aside")


@non_fix("any-object", control="pointer")
def pointer_as_any_object() -> dict[str, Any]:
    """The same letter, without a list."""
    return fetch("pointer", weights_only=False)


@non_fix("old-format", control="saved-over")
def saved_in_the_old_format() -> dict[str, Any]:
    """No archive, and no end either."""
    return save("old format")


@detect(found=True)
def one_bit_flipped() -> dict[str, Any]:
    """It loads, and one value is another."""
    return flip()


if __name__ == "__main__":
    main(__file__)
