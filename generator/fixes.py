"""Fixes and non-fixes as an article shows them: what was executed, and their files."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from fixbook.gates.tool_checks import TOOLS
from generator.markup import fence
from generator.status import worst
from generator.steps import badge

if TYPE_CHECKING:
    from fixbook.entry import ConfigChange, Fix, NonFix, Snippet
    from generator.library import Dossier
    from generator.steps import StepView
    from generator.strings import Words

_LANGUAGES = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".sh": "bash",
    ".py": "python",
    ".toml": "toml",
}


@dataclass(frozen=True, slots=True)
class ConfigView:
    """Configuration files before and after a fix.

    Attributes:
        change: The entry's description.
        before: Content of the file that fails.
        after: Content of the file that works.
    """

    change: ConfigChange
    before: str
    after: str

    @property
    def label(self) -> str:
        """The tool's name as its makers write it: the same on every page."""
        tool = TOOLS.get(self.change.tool)
        return tool.label if tool else self.change.tool

    @property
    def check(self) -> str:
        """What of the tool has accepted the file after the fix; empty if nothing was asked."""
        tool = TOOLS.get(self.change.tool)
        return tool.check if tool else ""

    @property
    def name(self) -> str:
        """Name of the file after the fix."""
        return PurePosixPath(self.change.after).name

    @property
    def before_block(self) -> str:
        """The file before, as a code block."""
        return fence(
            self.before, _language(self.change.before), PurePosixPath(self.change.before).name
        )

    @property
    def after_block(self) -> str:
        """The file after, as a code block."""
        return fence(self.after, _language(self.change.after), self.name)

    @property
    def diff_block(self) -> str:
        """The change as a unified diff."""
        diff = difflib.unified_diff(
            self.before.splitlines(),
            self.after.splitlines(),
            self.change.before,
            self.change.after,
            lineterm="",
        )
        return fence("\n".join(diff), "diff")


def _language(name: str) -> str:
    return _LANGUAGES.get(PurePosixPath(name).suffix, "text")


@dataclass(frozen=True, slots=True)
class Remedy:
    """A fix or a non-fix with the steps that executed it.

    Attributes:
        about: The entry's text on it.
        steps: Steps whose target it is.
        snippet: The code to paste; None if there is none.
        configs: Files of a fix that is a setting.
        words: Strings of the language.
    """

    about: Fix | NonFix
    steps: tuple[StepView, ...]
    snippet: Snippet | None
    configs: tuple[ConfigView, ...]
    words: Words

    @property
    def code(self) -> str:
        """The snippet to paste, as a code block; empty if there is none."""
        return fence(self.snippet.code, self.snippet.language) if self.snippet else ""

    @property
    def badges(self) -> str:
        """One badge per different verdict of its steps."""
        if not self.steps:
            return badge("not-run", self.words("state_not_run"))
        return " ".join(dict.fromkeys(step.badge for step in self.steps))

    @property
    def verdict(self) -> str:
        """One badge for all its steps on a CPU; GPU steps count only if there is nothing else."""
        on_cpu = [step for step in self.steps if not step.step.needs.on.startswith("cuda")]
        steps = on_cpu or list(self.steps)
        if not steps:
            return badge("not-run", self.words("state_not_run"))
        state = worst(step.sighting.state for step in steps)
        return next(step.badge for step in steps if step.sighting.state == state)

    @property
    def headline(self) -> str:
        """The claimed measures of the first step that has any."""
        return next((step.headline for step in self.steps if step.headline), "—")


def remedies(dossier: Dossier, kind: str, views: dict[str, StepView], words: Words) -> list[Remedy]:
    """Return the fixes (``kind`` is ``fix``) or the non-fixes (``non_fix``) of an entry."""
    entry = dossier.entry
    items: list[Fix] | list[NonFix] = entry.fixes if kind == "fix" else entry.non_fixes
    return [
        Remedy(
            about=item,
            steps=tuple(
                view
                for view in views.values()
                if view.step.kind == kind and view.step.target == item.id
            ),
            snippet=entry.snippets.get(getattr(item, "snippet", None) or ""),
            configs=tuple(
                ConfigView(change, dossier.read(change.before), dossier.read(change.after))
                for change in getattr(item, "config", [])
            ),
            words=words,
        )
        for item in items
    ]
