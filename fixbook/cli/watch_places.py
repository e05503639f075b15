"""Places in a stack that an entry of the book knows, without any message.

No table of them is kept: entries of hangs have such places among their signatures, as readers paste
a stack as well. A signature counts that one frame meets alone: one that asks for more of a log, or
that belongs to another kind of failure, tells nothing of a run that waits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.book_root import book_root
from fixbook.index.cache import index_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.run_files.groups import Frame, Group

_HANGS = "hang"


def book() -> dict[str, Any]:
    """Return what of the book knows a place; it is read when a run stands still, not before."""
    rows = index_rows(book_root())
    hangs = {
        name: card for name, card in rows["titles"].items() if _HANGS in card.get("categories", ())
    }
    return {
        "matchers": [one for one in rows["matchers"] if one["owner"] in hangs and _alone(one)],
        "titles": hangs,
    }


def known_at(group: Group, rows: dict[str, Any]) -> tuple[str, Frame] | None:
    """Return the entry that knows where some ranks stand, and the frame that says so.

    Args:
        group: They, with the stack of the first of them.
        rows: What `book` has returned.
    """
    for frame in group.stack:
        for one in rows["matchers"]:
            if re.search(one["pattern"], as_line(frame), re.ASCII):
                return one["owner"], frame
    return None


def as_line(frame: Frame) -> str:
    """Return a frame as Python prints it, which is the form that signatures know.

    py-spy names the class as well, which a traceback does not.
    """
    return f'File "{frame.file}", line {frame.line}, in {frame.function.rpartition(".")[2]}'


def as_log(members: Sequence[int], frame: Frame, *, ranked: bool) -> str:
    """Return what was seen as a line that signatures of entries know; one form, in English."""
    who = ("rank" if ranked else "process") + ("s" if len(members) > 1 else "")
    numbers = ", ".join(map(str, members[:16]))
    return f"fixbook watch: {who} {numbers} stood still at {as_line(frame)}"


def _alone(matcher: dict[str, Any]) -> bool:
    return matcher["specific"] and not (matcher["context"] or matcher["same"] or matcher["differ"])
