"""A distributed checkpoint without its .metadata: copied, cut short, elsewhere, or apart."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_folders import apart, copied, nested, overwritten, unfinished

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def copied_with_a_glob() -> dict[str, Any]:
    """The shell's * leaves out names that begin with a dot."""
    return copied()


@fix("copy-whole", control="copied-with-a-glob", on="any")
def copied_whole() -> dict[str, Any]:
    """The folder itself is copied."""
    return copied(printed="copy-whole")


@reproduce()
def killed_while_saving() -> dict[str, Any]:
    """The newest folder has all weights, and no .metadata."""
    return unfinished()


@fix("newest-complete", control="killed-while-saving")
def newest_complete() -> dict[str, Any]:
    """The save before is whole."""
    return unfinished(printed="newest-complete")


@reproduce(on="any")
def folder_above() -> dict[str, Any]:
    """The checkpoint is one folder further down."""
    return nested()


@fix("right-folder", control="folder-above", on="any")
def folder_found() -> dict[str, Any]:
    """The folder that holds .metadata."""
    return nested(printed="right-folder")


@reproduce(on="any", ranks=2)
def folders_of_their_own() -> dict[str, Any]:
    """Each node has a disk of its own; rank 0 alone writes .metadata."""
    return apart()


@non_fix("copy-metadata", control="folders-of-their-own", on="any", ranks=2)
def metadata_alone_copied() -> dict[str, Any]:
    """It names the files of all ranks."""
    return apart(mend="metadata")


@fix("shared-folder", control="folders-of-their-own", on="any", ranks=2)
def all_files_together() -> dict[str, Any]:
    """What each node wrote, in one folder."""
    return apart(mend="all files")


@detect(found=True)
def looked_at_before() -> dict[str, Any]:
    """Seen before anything is loaded."""
    return copied(look=True)


@detect(found=False, control="looked-at-before")
def looked_at_whole() -> dict[str, Any]:
    """Nothing lacks."""
    return copied(printed="copy-whole", look=True)


@detect(found=False)
def overwritten_in_part() -> dict[str, Any]:
    """Two files of two saves: nothing lacks, and the weights are of both."""
    return overwritten()


if __name__ == "__main__":
    main(__file__)
