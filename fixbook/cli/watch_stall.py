"""What ``fixbook watch`` says and does of a run that stands still."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.cli import watch_places as places
from fixbook.cli.watch_end import tell
from fixbook.text import _, in_language, ngettext
from fixbook.watch.permission import forbidding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.run_files.groups import Frame, Group, Hang
    from fixbook.text import Lang
    from fixbook.watch.run import Run
    from fixbook.watch.stall import Stall

NOTIFY, REPORT, TERMINATE = "notify", "report", "terminate"
_MOST = 6


@dataclass(frozen=True, slots=True)
class _Known:
    slug: str
    title: dict[Lang, str]
    frame: Frame


def act(run: Run, stall: Stall, wish: str, lang: Lang) -> int | None:
    """Say that a run stands still and do what was wished for; return a process we started.

    Args:
        run: The run.
        stall: What was seen.
        wish: One of the words above, or a command for the shell.
        lang: Language of what is said.
    """
    known = _known(stall.hang) if stall.hang else {}
    lines = list(_lines(stall, known, lang))
    run.note(stall=lines, stood=_stood(run, stall, known, ended=wish == TERMINATE))
    if run.wish.folder:
        with contextlib.suppress(OSError):
            (run.wish.folder / "stall.txt").write_text("\n".join(lines) + "\n", "utf-8")
    if wish != REPORT:
        tell("\n".join(lines))
    if wish == TERMINATE and stall.hang is None:
        tell(_("it is not ended: silence alone is no evidence of a hang"))
    elif wish == TERMINATE:
        tell(_("it is ended with SIGTERM, as --on-stall asks"))
        with contextlib.suppress(ProcessLookupError):
            os.kill(run.command, signal.SIGTERM)
    elif wish not in {NOTIFY, REPORT}:
        return _start(run, wish)
    return None


def not_permitted() -> str:
    """Say that stacks may not be read, and what forbids it where that is known."""
    said = _("reading stacks is not permitted here: --hook needs no permission")
    setting = forbidding()
    return f"{said} ({setting})" if setting else said


def _start(run: Run, line: str) -> int | None:
    folder = str(run.wish.folder or "")
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        return os.posix_spawn(
            "/bin/sh",
            ["sh", "-c", line],
            {**os.environ, "FIXBOOK_FOLDER": folder, "FIXBOOK_PROCESS": str(run.command)},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, nothing, 0),
                (os.POSIX_SPAWN_DUP2, 2, 1),
            ],
            setsigmask=run.waiter.mask,
        )
    except OSError as error:
        tell(_("--on-stall: {reason}").format(reason=error.strerror))
        return None
    finally:
        os.close(nothing)


def _lines(stall: Stall, known: dict[Group, _Known], lang: Lang) -> Iterator[str]:
    yield _("silent for {seconds:.0f} s, and nothing is read or written").format(
        seconds=stall.silent
    )
    if stall.hang is None:
        yield "  " + _("whether it hangs cannot be decided: its stacks cannot be read here")
        lacking = _(
            "py-spy reads them: pip install py-spy; a container needs SYS_PTRACE; or --hook"
        )
        yield "  " + (not_permitted() if stall.refused else lacking)
        yield from _recorded(stall, lang)
        return
    yield "  " + _("look after look finds every main thread at the same place:")
    for group in stall.hang.groups[:_MOST]:
        yield f"    {_group(group, ranked=stall.hang.ranked)}"
    for pid, frame in stall.hang.workers[:_MOST]:
        yield "      " + _("its process {pid}: {frame}").format(pid=pid, frame=frame)
    if known and not stall.hang.odd:  # a place that is known decides more than a comparison
        yield from _recorded(stall, lang) if stall.recorded else ()
    else:
        yield "  " + _verdict(stall.hang)
        yield from _recorded(stall, lang)
    yield from _causes(stall.hang, known, lang)


def _known(hang: Hang) -> dict[Group, _Known]:
    """The groups that stand at a place which an entry knows; whatever fails here, none."""
    try:
        rows = places.book()
        found = {group: places.known_at(group, rows) for group in hang.groups[:_MOST]}
    except Exception:  # noqa: BLE001  (a book that cannot be read must not hide the hang)
        return {}
    titles = rows["titles"]
    return {
        group: _Known(at[0], titles[at[0]]["title"], at[1]) for group, at in found.items() if at
    }


def _causes(hang: Hang, known: dict[Group, _Known], lang: Lang) -> Iterator[str]:
    for group, at in known.items():
        title = _("this place is known: {title}").format(title=at.title[lang])
        yield f"  {_who(group, ranked=hang.ranked)}: {title}  [{at.slug}]"


def _stood(run: Run, stall: Stall, known: dict[Group, _Known], *, ended: bool) -> dict[str, Any]:
    """What diagnosis may read of it, if it was the last that the run did."""
    ranked = bool(stall.hang and stall.hang.ranked)
    said = [places.as_log(one.members, at.frame, ranked=ranked) for one, at in known.items()]
    groups = stall.hang.groups if stall.hang and ranked else ()
    at = {member: _frames(one) for one in groups for member in one.members}
    return {"lines": said, "printed": run.tally.total, "ended": ended, "ranks": at}


def _frames(group: Group) -> list[list[Any]]:
    """Where ranks stand, as plain data: `fixbook diagnose` compares those of all watchers."""
    frames = [group.place, *([group.caller] if group.caller else [])]
    return [[one.file, one.line, one.function] for one in frames]


def _recorded(stall: Stall, lang: Lang) -> Iterator[str]:
    """What the flight recorders say, or how they can be asked where they are needed."""
    for found in stall.recorded:
        yield "  " + _("flight recorder: {said}").format(said=in_language(found.says, lang))
    if stall.asked and not stall.recorded:
        yield "  " + _("the flight recorders show no difference between the ranks")
    elif not stall.asked and stall.hang and stall.hang.why and stall.hang.ranked:
        yield "  " + _("with --hook, the flight recorders of its ranks are asked")


def _who(group: Group, *, ranked: bool) -> str:
    members = ", ".join(map(str, group.members[:16]))
    if ranked:
        who = ngettext("rank {members}", "ranks {members}", len(group.members))
    else:
        who = ngettext("process {members}", "processes {members}", len(group.members))
    return who.format(members=members)


def _group(group: Group, *, ranked: bool) -> str:
    said = f"{_who(group, ranked=ranked)}: {group.place}"
    if group.caller and group.caller != group.place:
        said += _(", from {frame}").format(frame=group.caller)
    return said


def _verdict(hang: Hang) -> str:
    if hang.odd:
        members = ", ".join(map(str, hang.odd))
        if hang.ranked:
            return _("elsewhere than the others: rank {members}. Look there first.").format(
                members=members
            )
        return _("elsewhere than the others: process {members}. Look there first.").format(
            members=members
        )
    return {
        "same": _("all are at the same place: stacks cannot decide. Look at network and recorder."),
        "two": _("of two, stacks cannot decide which is wrong. Compare the flight recorder."),
        "spread": _("no majority is at one place: stacks cannot decide. Compare the recorder."),
    }.get(hang.why) or _alone(hang)


def _alone(hang: Hang) -> str:
    if hang.ranked:
        return _("only one rank is here: fixbook diagnose compares the folders of all of them")
    return _("only one process can be read: nothing to compare it with")
