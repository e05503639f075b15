"""A mirror tells of Xet's storage, which is another host, and that host is not reached."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "huggingface_hub==2.4.0", "hf-xet==1.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_mirror import asked, download

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def storage_not_reached() -> dict[str, Any]:
    """The mirror answers, the storage does not; it is asked once."""
    return download()


@reproduce(record_once="hf_xet tries for more than three minutes", timeout_s=400)
def until_it_gives_up() -> dict[str, Any]:
    """The same as everybody sees it."""
    return download(once=False)


@detect(found=True)
def asked_the_mirror() -> dict[str, Any]:
    """The storage that the mirror names is not reached."""
    return asked()


@detect(found=True)
def asked_where_nothing_answers() -> dict[str, Any]:
    """Nobody refuses either, as behind most firewalls."""
    return asked(storage="drops")


@detect(found=False, control="asked-the-mirror")
def asked_for_a_gated_file() -> dict[str, Any]:
    """The storage answers, and nobody without a token is told of it."""
    return asked(storage="answers", gated=True, token="hf_a")  # noqa: S106


@detect(found=False, control="asked-the-mirror")
def asked_where_it_answers() -> dict[str, Any]:
    """The storage answers."""
    return asked(storage="answers")


@detect(found=False, control="asked-the-mirror")
def asked_for_a_plain_file() -> dict[str, Any]:
    """The file is not in that storage."""
    return asked(xet=False)


@fix("disable", control="storage-not-reached")
def disabled() -> dict[str, Any]:
    """The page's line, before the start."""
    return download(disable=True)


@non_fix("late", control="storage-not-reached")
def set_too_late() -> dict[str, Any]:
    """The same variable, set after the import."""
    return download(late=True)


if __name__ == "__main__":
    main(__file__)
