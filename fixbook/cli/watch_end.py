"""What ``fixbook watch`` says of the end of a run, below the run's own output."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import click

from fixbook.log.answer_text import as_text
from fixbook.text import _, ngettext, printable
from fixbook.watch import folder as folders
from fixbook.watch.ending import as_log, ending_of, how, write_seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.text import Lang
    from fixbook.watch.ending import Ending
    from fixbook.watch.run import Run
    from fixbook.watch.tree import Tree

_MOST, _MOST_NAME = 8, 60
_NEARLY_ALL = 0.9  # of the files that a process may have open
_NAMED = ("torch", "transformers", "accelerate", "peft", "trl", "deepspeed", "vllm")


def tell(text: str) -> None:
    """Say something of our own: the first line names us, the others stand below it."""
    click.echo(f"fixbook watch: {printable(text)}", err=True)


def say_end(run: Run, tree: Tree, lang: Lang) -> None:
    """Say how a run ended and what explains it, if it did not end well."""
    ending = ending_of(run, tree)
    run.note(**ending.plain())
    by_hand = os.WIFSIGNALED(ending.status) and os.WTERMSIG(ending.status) == signal.SIGINT
    if ending.status == 0 or by_hand:
        return
    lines = as_log(ending) + _stood(run)
    write_seen(run.wish.folder, lines)
    tell("\n".join(_head(run, ending)))
    click.echo("", err=True)
    click.echo(_answer(run.wish.folder, lines, lang), err=True)


def _stood(run: Run) -> list[str]:
    """Where it stood still, if that was its last: nothing was printed after, or we ended it."""
    stood = run.seen.get("stood") or {}
    last = stood.get("ended") or stood.get("printed") == run.tally.total
    return list(stood.get("lines", ())) if last else []


def _answer(folder: Path | None, lines: list[str], lang: Lang) -> str:
    """Answer as `fixbook diagnose` does of the folder."""
    from fixbook.api.logs import Reader  # after the run, of which it is no part
    from fixbook.problem import BookError

    try:
        reader = Reader()
        known = folder is not None and folders.logs(folder)
        told = reader.files([str(folder)], lang) if known else reader.text("\n".join(lines), lang)
    except BookError as error:
        return str(error)
    return as_text(told.answer, lang)


def _head(run: Run, ending: Ending) -> Iterator[str]:
    seconds = (run.ended or run.began) - run.began
    yield _("ended with {how} after {seconds:.0f} s").format(
        how=how(ending.status), seconds=seconds
    )
    for line in run.seen.get("stall", [])[-1:]:
        yield "  " + _("it stood still before; {said}").format(said=line.strip())
    for one in ending.processes[:_MOST]:
        name = _("rank {rank}").format(rank=one.rank) if one.rank is not None else one.words
        yield f"  {one.pid} ({name[:_MOST_NAME]}): {how(one.status)}"
    more = len(ending.processes) - _MOST
    if more > 0:
        yield "  " + ngettext(
            "… and {count} more process", "… and {count} more processes", more
        ).format(count=more)
    yield from _memory(ending)
    yield from _files(ending)
    yield from _gpus(run.seen.get("gpus") or {})
    if ending.living:
        pids = ", ".join(str(one.pid) for one in ending.living[:_MOST])
        yield "  " + _("these processes of it go on: {pids}").format(pids=pids)
    if run.tally.left_out:
        yield "  " + _("{count} bytes of its output are not kept").format(count=run.tally.left_out)
    if versions := run.seen.get("versions"):
        said = " ".join(f"{name} {versions[name]}" for name in _NAMED if name in versions)
        yield "  " + (said or next(f"{name} {one}" for name, one in versions.items()))
    if run.wish.folder:
        yield "  " + _("kept in {where}").format(where=run.wish.folder)


def _memory(ending: Ending) -> Iterator[str]:
    killed = any(
        one.status and os.WIFSIGNALED(one.status) and os.WTERMSIG(one.status) == signal.SIGKILL
        for one in ending.processes
    )
    if ending.for_memory:
        yield "  " + _("the kernel killed for memory: oom_kill grew by {count}").format(
            count=ending.killed_here or ending.killed_on_machine
        )
    elif killed and (ending.killed_here, ending.killed_on_machine) != (None, None):
        yield "  " + _("the kernel killed nothing for memory: somebody else sent SIGKILL")
    elif killed:
        yield "  " + _("whether the kernel killed for memory cannot be read here")
    parts = [_("most memory {mib} MiB").format(mib=ending.peak_mib)]
    left = {"/dev/shm": ending.shared_free_mib, "$PWD": ending.disk_free_mib}  # noqa: S108
    parts += [
        _("{folder} has {mib} MiB left").format(folder=folder, mib=mib)
        for folder, mib in left.items()
        if mib is not None
    ]
    yield "  " + "; ".join(parts)


def _files(ending: Ending) -> Iterator[str]:
    for one in ending.processes[:_MOST]:
        if one.files_limit and one.files >= _NEARLY_ALL * one.files_limit:
            yield "  " + _("{pid} had {count} of at most {limit} files open").format(
                pid=one.pid, count=one.files, limit=one.files_limit
            )


def _gpus(seen: dict[str, Any]) -> Iterator[str]:
    for one in seen.get("memory", [])[:_MOST]:
        yield "  " + _("{pid} had up to {mib} MiB on GPU {gpu}").format(**one)
    for gpu, count in list(seen.get("ecc", {}).items())[:_MOST]:
        yield "  " + _("GPU {gpu} counted {count} uncorrected memory errors").format(
            gpu=gpu, count=count
        )
    for one in seen.get("xids", [])[:_MOST]:
        yield "  " + _("GPU {gpu} reported Xid {xid}").format(**one)
