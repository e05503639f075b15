"""What is said when a command ends with an exception: one line, and an exit code of its own."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback

import click

from fixbook.exits import INTERNAL, UNUSABLE
from fixbook.problem import BookError
from fixbook.repository import issues_address
from fixbook.text import _

TRACEBACK_VARIABLE = "FIXBOOK_TRACEBACK"
_LONGEST = 300


def explain(error: Exception) -> int:
    """Print what was wrong, without a traceback, and return the exit code.

    Args:
        error: What ended the command. A file or a stream that fails is the reader's to mend;
            everything that no part of Fixbook has foreseen is ours, and asks to be reported.

    Raises:
        Exception: The same, where ``$FIXBOOK_TRACEBACK`` is set.
    """
    if isinstance(error, BookError):
        click.echo(str(error), err=True)
        return UNUSABLE
    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    if isinstance(error, OSError):
        where = str(error.filename or _("output"))
        reason = error.strerror or str(error)
        click.echo(_("{where}: cannot be read or written: {reason}").format(
            where=where, reason=reason
        ), err=True)  # fmt: skip
        return UNUSABLE
    said = f"{type(error).__name__}: {error}"[:_LONGEST].replace("\n", " ")
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119  (a name, no file)
    click.echo(_("fixbook failed: {said} ({where})").format(said=said, where=where), err=True)
    mend = _(
        "This is a defect of fixbook. {variable}=1 prints where it happened; please report it."
    )
    click.echo(mend.format(variable=TRACEBACK_VARIABLE), err=True)
    with contextlib.suppress(BookError):  # what is wrong with the address is no more to the point
        if issues_address():
            click.echo(issues_address(), err=True)
    return INTERNAL


def close_output() -> None:
    """Let nothing more be written, so that the interpreter does not complain on its way out."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
