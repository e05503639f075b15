"""Check configurations: everything at once, files together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.config.finding import SEVERITIES, Finding
from fixbook.config.keys_check import THEIRS, refused_values, unknown_keys
from fixbook.config.predicate import holds
from fixbook.config.rules import about, applicable
from fixbook.config.setting import Place, Setting, shown
from fixbook.config.together import Together
from fixbook.config.written import applies, applies_to_rename

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.book import RuleRow
    from fixbook.config.setting import ConfigDocument, Section


_NAME = re.compile(r"\{([^{}\s]+)\}")


@dataclass(slots=True)
class Report:
    """The result of a check.

    Attributes:
        findings: Sorted by file, line and severity.
        tools: Number of rules by tool and version that were applied.
        unrecognised: Files in which nothing was found that a known tool reads.
    """

    findings: list[Finding] = field(default_factory=list)
    tools: dict[tuple[str, str], int] = field(default_factory=dict)
    unrecognised: list[ConfigDocument] = field(default_factory=list)


def check(documents: Iterable[ConfigDocument], rules: Iterable[RuleRow] | None = None) -> Report:
    """Check documents together.

    Args:
        documents: What was read.
        rules: The rules to apply; by default those of the book.
    """
    documents = list(documents)
    given = None if rules is None else list(rules)
    report = Report()
    together = Together(documents)
    for document in documents:
        if not any(section.tool for section in document.sections):
            report.unrecognised.append(document)
        report.findings += _repeated(document)
        for section in document.sections:
            if section.tool:
                report.findings += _section(document, section, together, given, report)
    report.findings.sort(key=_order)
    return report


def _order(finding: Finding) -> tuple[str, int, int, str]:
    place = finding.setting.key_place
    return str(finding.document.path), place.line, SEVERITIES.index(finding.severity), finding.rule


def _section(
    document: ConfigDocument,
    section: Section,
    together: Together,
    given: list[RuleRow] | None,
    report: Report,
) -> Iterator[Finding]:
    rules = applicable(section.schema) if given is None else about(section.schema, given)
    if section.schema.release:
        about_it = section.tool, section.schema.release
        report.tools[about_it] = max(len(rules), report.tools.get(about_it, 0))
    found: list[Finding] = []
    for rule in rules:
        found += _renames(rule, document, section) if rule["renames"] else []
        for context in together.contexts(rule, document, section):
            if rule["when"] and holds(rule["when"], context) is True:
                found.append(_finding(rule, document, section, context))
                break
    told = {finding.setting.key for finding in found}
    yield from found
    yield from unknown_keys(document, section, told)
    yield from (item for item in refused_values(document, section) if item.setting.key not in told)


def _finding(
    rule: RuleRow, document: ConfigDocument, section: Section, context: dict[str, Section]
) -> Finding:
    setting = _where(rule["at"], section)

    def value(name: str) -> str | None:
        if name == "at":
            return setting.key
        tool, _, key = name.rpartition(":")
        found = context[tool].settings.get(key) if tool in context else None
        return None if found is None else shown(found.value)

    message = {lang: _filled(text, value) for lang, text in rule["message"].items()}
    why = {lang: _filled(text, value) for lang, text in rule["why"].items()}
    mend = rule["mend"] and {lang: _filled(text, value) for lang, text in rule["mend"].items()}
    fix = [
        {name: setting.key if item == "{at}" else item for name, item in operation.items()}
        for operation in rule["fix"]
    ]
    return Finding(
        document,
        section,
        setting,
        rule["severity"],
        rule["id"],
        message,
        why,
        rule["entry"],
        mend,
        fix,
        applies(rule, section),
    )


def _where(at: str, section: Section) -> Setting:
    for key in at.split("|"):
        if key in section.settings:
            return section.settings[key]
    nowhere = Setting(tuple(at.split("|", maxsplit=1)[0].split(".")), None, Place(1, 1, 0, 0))
    return next(iter(section.settings.values()), nowhere)  # a command may have no settings at all


def _filled(text: str, value: Callable[[str], str | None]) -> str:
    """Put values in the place of names in braces; a name that has none stays as it is."""
    return _NAME.sub(lambda name: item if (item := value(name[1])) is not None else name[0], text)


def _renames(rule: RuleRow, document: ConfigDocument, section: Section) -> Iterator[Finding]:
    valid = section.schema.valid
    for old, new in rule["renames"].items():
        setting = section.settings.get(old)
        if setting is None or (rule["severity"] == "error" and old in valid):
            continue
        if new and new not in valid:
            continue
        severity, fix = rule["severity"], [{"rename": old, "to": new}] if new else []
        if new and new in section.settings:
            fix = [{"remove": old}]
        if not section.complete:
            severity, fix = "note", []  # the program may declare the old name for itself
        message = _renamed(rule, section, old, new)
        yield Finding(
            document,
            section,
            setting,
            severity,
            rule["id"],
            message,
            rule["why"],
            rule["entry"],
            rule["mend"],
            fix,
            applies_to_rename(rule, section, old, new) if new else "suggestion",
        )


def _renamed(rule: RuleRow, section: Section, old: str, new: str) -> dict[str, str]:
    said = {
        lang: _filled(text, {"old": old, "new": new}.get) for lang, text in rule["message"].items()
    }
    if last := section.schema.last_seen(old):
        said["zh"] += f"（最后见于 {last}）"
        said["en"] += f" (last seen in {last})"
    if not section.complete:
        said = {lang: text + THEIRS[lang] for lang, text in said.items()}
    return said


def _repeated(document: ConfigDocument) -> Iterator[Finding]:
    for setting in document.repeated:
        message = {
            "zh": f"`{setting.key}` 写了两次，只有最后一次生效",
            "en": f"`{setting.key}` is written twice; only the last one counts",
        }
        why = {
            "zh": "读取 YAML 和 JSON 的库悄悄采用后一个值，前一个等于没写。",
            "en": "The libraries that read YAML and JSON keep the later value without a word; "
            "the earlier one does nothing.",
        }
        yield Finding(
            document, document.sections[0], setting, "warning", "repeated-key", message, why
        )
