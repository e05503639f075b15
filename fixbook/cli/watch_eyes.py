"""What looks at a run while ``fixbook watch`` waits for it, and says what it sees."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.cli.watch_end import say_end, tell
from fixbook.cli.watch_stall import act, not_permitted
from fixbook.machine import host
from fixbook.run_files.memory import judge_memory
from fixbook.text import _, in_language
from fixbook.watch import folder as folders
from fixbook.watch.gpus import Beside
from fixbook.watch.hooked import PLACE, Hook, clear
from fixbook.watch.inside import Inside
from fixbook.watch.rank_files import RankFiles
from fixbook.watch.ranks import given
from fixbook.watch.stacks import Readers, may_read, tool
from fixbook.watch.stall import Guard
from fixbook.watch.tree import Tree
from fixbook.watch.values import Values

if TYPE_CHECKING:
    from fixbook.run_files.finding import Finding
    from fixbook.text import Lang
    from fixbook.watch.run import Run
    from fixbook.watch.stall import Patience


_MOST_SAMPLES = 512


class Eyes:
    """Looks at one run."""

    def __init__(self, lang: Lang, patience: Patience, on_stall: str, *, quiet: bool) -> None:
        """Prepare to look.

        Args:
            lang: Language of what is said.
            patience: How long the run may be silent.
            on_stall: What to do where it stands still.
            quiet: Say nothing as long as nothing fails.
        """
        self._lang = lang
        self._patience = patience
        self._on_stall = on_stall
        self._quiet = quiet
        self._guard: Guard | None = None
        self._tree: Tree | None = None
        self._values: Values | None = None
        self._inside = Inside()
        self._files = RankFiles()
        self._gpus: Beside | None = None
        self._samples: list[tuple[float, int]] = []  # since the first row of values
        self._limit = 0.0
        self._grows: list[Finding] = []
        self._probed = False

    def open(self, run: Run) -> None:
        """Begin, now that it is started."""
        self._tree = Tree({run.relay})
        self._tree.groups.joined()
        self._tree.look(run.waiter.reaped)
        if first := self._tree.seen.get(run.command):
            first.words = first.words or " ".join(run.wish.command)  # it may be over already
            first.given = first.given or given(os.environ)
        self._values = Values(run.values)
        self._guard = Guard(self._patience, run.tally, None, more=self._files.size)
        self._gpus = Beside(run.wish.every)
        self._gpus.begin()

    def _probe(self, run: Run) -> None:
        """See once which way of reading stacks works: before a hang, not in it."""
        self._probed = True
        if self._guard is None or not self._patience.seconds:
            return
        place = run.wish.variables.get(PLACE)
        hook = Hook(Path(place)) if place else None
        reader = tool()
        refused = reader is not None and not may_read(reader)
        ways = ((reader,) if reader and not refused else ()) + ((hook,) if hook else ())
        self._guard.tool, self._guard.hook = Readers(ways) if ways else None, hook
        self._guard.refused = refused
        if not ways and not self._quiet:
            lacking = _("without py-spy or pystack a hang is noticed, and not explained")
            tell(not_permitted() if refused else lacking)
        run.note(stacks=[one.name for one in ways])

    def look(self, run: Run) -> None:
        """Look at it once; whatever fails here, the run goes on."""
        try:
            self._look(run)
        except Exception as error:  # noqa: BLE001  (the run must not depend on us)
            self._guard = self._tree = None
            tell(_("stopped looking: {reason}").format(reason=f"{type(error).__name__}: {error}"))

    def _look(self, run: Run) -> None:
        if self._tree is None or self._values is None or self._guard is None:
            return
        if not self._probed:
            self._probe(run)
        living = self._tree.look(run.waiter.reaped)
        run.rank = self._tree.only_rank(given(os.environ))
        self._beside(run, [one.pid for one in living])
        for finding in self._values.look():
            self._say(run, finding)
        stall = self._guard.look(self._tree, living)
        if stall is not None:
            started = act(run, stall, self._on_stall, self._lang)
            self._tree.ours |= {started} if started else set()

    def end(self, run: Run) -> None:
        """Say how it ended, unless the reader has enough."""
        if self._tree is None or self._values is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            for finding in self._values.end():
                self._say(run, finding)
            run.rank = self._tree.only_rank(given(os.environ))
            run.note(**self._seen(run))
            say_end(run, self._tree, self._lang)

    def _beside(self, run: Run, pids: list[int]) -> None:
        """Look at what is no output: packages, files of ranks, GPUs, memory."""
        if self._tree is None or self._values is None:
            return
        self._inside.look(pids)
        self._files.look(self._tree.seen.values())
        if self._gpus is not None:
            self._gpus.pids = frozenset(pids)
        if not self._values.rows or not self._tree.now:
            return  # what grows before is what is loaded; what has ended holds nothing
        self._samples.append((time.time() - run.began, self._tree.now // 2**20))
        if len(self._samples) > _MOST_SAMPLES:
            del self._samples[::2]
        self._limit = self._limit or _limit()
        if not self._grows:
            self._grows = judge_memory(self._samples, self._limit)
            for finding in self._grows:
                self._say(run, finding)

    def _seen(self, run: Run) -> dict[str, Any]:
        """Return what was seen, as plain data, and keep the files of ranks."""
        folder, files = run.wish.folder, []
        if folder is not None:
            files = self._files.keep(folder, run.wish.command, run.began)
            clear(folder)
            self._inside.read(folders.logs(folder))
        return {
            "versions": self._inside.versions(),
            "gpus": self._gpus.end() if self._gpus else None,
            "rank_files": files,
            "memory": {"limit_mib": self._limit or None, "samples": self._samples},
        }

    def _say(self, run: Run, finding: Finding) -> None:
        text = in_language(finding.says, self._lang)
        if finding.owners:
            text += " " + _("(fixbook show {name})").format(name=finding.owners[0])
        tell(text)
        values = [*(self._values.found if self._values else []), *self._grows]
        run.note(values=[in_language(one.says, "en") for one in values])


def _limit() -> float:
    """MiB that a run may use: the tightest of its control groups, or all there is."""
    return float(host.cgroup()["memory.limit_mib"] or host.memory()["memory.total_mib"])
