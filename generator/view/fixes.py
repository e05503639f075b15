"""Fixes and non-fixes as an article shows them: what was executed, and their files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from fixbook.article.change import compared, shown, taken_out
from fixbook.book import with_snippets
from fixbook.gates.tool_checks import TOOLS
from generator.text.code import Code, in_line, snippet_code
from generator.view.badges import Badge
from generator.view.status import worst

if TYPE_CHECKING:
    from fixbook.article.change import Line
    from fixbook.book import ConfigChange, Entry, Fix, NonFix, Snippet
    from generator.text.strings import Words
    from generator.view.library import Dossier
    from generator.view.steps import StepView

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
        lines: The file that fails and the one that works, compared.
        after: The file that works, with the lines marked that the fix changed.
    """

    change: ConfigChange
    lines: list[Line]
    after: Code

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
    def diff(self) -> Code:
        """The lines that the fix changes."""
        return Code(shown(self.lines), "diff")

    @property
    def removed(self) -> list[str]:
        """The lines that go without another in their place, as Markdown."""
        return [in_line(text) for text in taken_out(self.lines)]


def config_view(change: ConfigChange, dossier: Dossier) -> ConfigView:
    """Read the files of a fix that is a setting.

    Args:
        change: The entry's description.
        dossier: The entry.

    Raises:
        BookError: A file is missing.
    """
    after = dossier.read(change.after)
    lines = compared(dossier.read(change.before), after)
    staying = [line for line in lines if line.sign != "-"]
    changed = tuple(number for number, line in enumerate(staying, 1) if line.sign == "+")
    name = PurePosixPath(change.after).name
    return ConfigView(change, lines, Code(after, _language(name), name, changed))


def _language(name: str) -> str:
    return _LANGUAGES.get(PurePosixPath(name).suffix, "text")


@dataclass(frozen=True, slots=True)
class Remedy:
    """A fix or a non-fix with the steps that executed it.

    Attributes:
        about: The entry's text on it.
        steps: Steps whose target it is.
        code: The snippet to paste; None if there is none.
        configs: Files of a fix that is a setting.
        snippets: The snippets of the entry.
        words: Strings of the language.
    """

    about: Fix | NonFix
    steps: tuple[StepView, ...]
    code: Code | None
    configs: tuple[ConfigView, ...]
    snippets: dict[str, Snippet]
    words: Words

    @property
    def title(self) -> str:
        """Its title, as Markdown on one line."""
        return self.about.title.of(self.words.lang)

    @property
    def text(self) -> str:
        """Its explanation, with the snippets it places."""
        return with_snippets(self.about.text.of(self.words.lang), self.snippets, self.words.lang)

    @property
    def trade_off(self) -> str:
        """What it costs; empty if the entry names nothing."""
        text = getattr(self.about, "trade_off", None)
        return text.of(self.words.lang) if text else ""

    @property
    def cases(self) -> list[str]:
        """What a reader's message shows where it is the one; none for one that fits any."""
        return [case.says.of(self.words.lang) for case in self.about.when]

    @property
    def since(self) -> str:
        """The version that first has it; empty if any has."""
        return getattr(self.about, "since", None) or ""

    @property
    def verdict(self) -> Badge:
        """One badge for all its steps on a CPU; GPU steps count only if there is nothing else.

        It is the worst of theirs, and of those one with a simulated part, if there is one.
        """
        on_cpu = [step for step in self.steps if not step.step.needs.on.startswith("cuda")]
        steps = on_cpu or list(self.steps)
        if not steps:
            return Badge("not-run", self.words("state_not_run"))
        state = worst(step.run.sighting.state for step in steps)
        alike = [step for step in steps if step.run.sighting.state == state]
        return next((step for step in alike if step.simulated), alike[0]).run.badge


def remedies(dossier: Dossier, kind: str, views: dict[str, StepView], words: Words) -> list[Remedy]:
    """Return the fixes (``kind`` is ``fix``) or the non-fixes (``non_fix``) of an entry."""
    entry = dossier.entry
    items: list[Fix] | list[NonFix] = entry.fixes if kind == "fix" else entry.non_fixes
    return [
        Remedy(
            about=item,
            steps=tuple(v for v in views.values() if v.step.kind == kind and v.target == item.id),
            code=_code(item, entry, words),
            configs=tuple(config_view(one, dossier) for one in getattr(item, "config", [])),
            snippets=entry.snippets,
            words=words,
        )
        for item in items
    ]


def _code(item: Fix | NonFix, entry: Entry, words: Words) -> Code | None:
    snippet = entry.snippets.get(getattr(item, "snippet", None) or "")
    return snippet_code(snippet, entry.yours, words) if snippet else None
