"""What was found in a configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fixbook.config.setting import ConfigDocument, Section, Setting
    from fixbook.text import Lang

SEVERITIES = ("error", "warning", "note")


@dataclass(slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        document: The file it is in.
        section: The settings it is about.
        setting: Where it is reported.
        severity: ``error``, ``warning`` or ``note``.
        rule: Id of the rule.
        message: What was found.
        why: What happens then.
        entry: Slug of the entry that explains it.
        mend: What to do, where no edit of the file mends it, in both languages.
        fix: Operations that mend it.
        applies: ``safe`` if the tool trains the same with the fix and without it, ``suggestion``
            if not, or if that holds for releases other than the file's, so that a person has to
            choose it.
        diff: The mend as a unified diff, once it has been worked out.
        not_fixed: Why the fix cannot be carried out in this file, in both languages.
    """

    document: ConfigDocument
    section: Section
    setting: Setting
    severity: str
    rule: str
    message: dict[str, str]
    why: dict[str, str]
    entry: str | None = None
    mend: dict[str, str] | None = None
    fix: list[dict[str, Any]] = field(default_factory=list)
    applies: str = "safe"
    diff: str = ""
    not_fixed: dict[str, str] = field(default_factory=dict)

    def add(self, more: dict[str, str]) -> None:
        """Say more at the end of the message, in both languages."""
        self.message = {lang: text + more[lang] for lang, text in self.message.items()}

    def text(self, lang: Lang) -> str:
        """Return the message in one language."""
        return self.message[lang]

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        place = self.setting.key_place
        return {
            "file": str(self.document.path),
            "line": place.line,
            "column": place.column,
            "severity": self.severity,
            "rule": self.rule,
            "entry": self.entry,
            "tool": self.section.tool,
            "key": self.setting.key,
            "message": self.message,
            "why": self.why,
            "mend": self.mend,
            "applies": self.applies if self.diff else None,
            "diff": self.diff,
            "not_fixed": self.not_fixed or None,
        }
