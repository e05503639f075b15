"""What looks at a run while ``fixbook watch`` waits for it, and says what it sees."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from fixbook.cli.watch_end import say_end, tell
from fixbook.cli.watch_stall import act
from fixbook.text import _, in_language
from fixbook.watch.stacks import tool
from fixbook.watch.stall import Guard
from fixbook.watch.tree import Tree
from fixbook.watch.values import Values

if TYPE_CHECKING:
    from fixbook.run_files.finding import Finding
    from fixbook.text import Lang
    from fixbook.watch.run import Run
    from fixbook.watch.stall import Patience


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

    def open(self, run: Run) -> None:
        """Begin, now that it is started."""
        self._tree = Tree({run.relay})
        self._tree.groups.joined()
        self._tree.look(run.waiter.reaped)
        if first := self._tree.seen.get(run.command):
            first.words = first.words or " ".join(run.wish.command)  # it may be over already
        self._values = Values(run.values)
        reader = tool() if self._patience.seconds else None
        self._guard = Guard(self._patience, run.tally, reader)
        if self._patience.seconds and reader is None and not self._quiet:
            tell(_("without py-spy or pystack a hang is noticed, and not explained"))
        run.note(stacks=reader.name if reader else None)

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
        living = self._tree.look(run.waiter.reaped)
        for finding in self._values.look():
            self._say(run, finding)
        stall = self._guard.look(self._tree, living)
        if stall is not None:
            started = act(run, stall, self._on_stall)
            self._tree.ours |= {started} if started else set()

    def end(self, run: Run) -> None:
        """Say how it ended, unless the reader has enough."""
        if self._tree is None or self._values is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            for finding in self._values.look():
                self._say(run, finding)
            say_end(run, self._tree, self._lang)

    def _say(self, run: Run, finding: Finding) -> None:
        text = in_language(finding.says, self._lang)
        if finding.owners:
            text += " " + _("(fixbook show {name})").format(name=finding.owners[0])
        tell(text)
        values = self._values.found if self._values else []
        run.note(values=[in_language(one.says, "en") for one in values])
