"""Check configurations: everything at once, files together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.finding import SEVERITIES, Finding
from fixbook.config.imported_names import absent_names
from fixbook.config.keys_check import CHECKS_LESS, THEIRS, unknown_keys
from fixbook.config.looks import LOOKS
from fixbook.config.named_values import (
    NEWER,
    is_stray,
    listed,
    lists_of,
    meant,
    nearest,
    own_program,
)
from fixbook.config.predicate import holds
from fixbook.config.read_by_others import is_read_by_another
from fixbook.config.rules import about, applicable
from fixbook.config.setting import Place, Setting, shown
from fixbook.config.together import Together
from fixbook.config.tool import LAUNCH
from fixbook.config.values_check import refused_values
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
        assumed: Of each tool and version that the user or a file did not name, what did: a file
            that pins it, "installed", or "newest" for the newest known.
        copies: Those of which the repository carries its own copy, which may have been changed.
        unrecognised: Files in which nothing was found that a known tool reads.
    """

    findings: list[Finding] = field(default_factory=list)
    tools: dict[tuple[str, str], int] = field(default_factory=dict)
    assumed: dict[tuple[str, str], str] = field(default_factory=dict)
    copies: set[tuple[str, str]] = field(default_factory=set)
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
    alone = len(document.sections) == 1  # what a launcher reads is no configuration of its own
    if section.schema.release and (alone or section.schema.name != LAUNCH):
        about_it = section.tool, section.schema.release
        report.tools[about_it] = max(len(rules), report.tools.get(about_it, 0))
        if source := _source(section):
            report.assumed.setdefault(about_it, source)
        if section.pin and section.pin.is_carried:
            report.copies.add(about_it)
    found: list[Finding] = []
    for rule in rules:
        found += _renames(rule, document, section) if rule["renames"] else []
        for context in together.contexts(rule, document, section):
            if rule["when"] and holds(rule["when"], context) is True:
                made = _finding(rule, document, section, context)
                found += [made] if made else []
                break
    told = {finding.setting.key for finding in found}
    yield from found
    yield from absent_names(document, section, told)
    yield from unknown_keys(document, section, told)
    yield from (item for item in refused_values(document, section) if item.setting.key not in told)
    for look in LOOKS:
        yield from look(document, section)


def _source(section: Section) -> str:
    """What names the release of a section; empty if the user or the file does."""
    if section.pin and section.pin.source:
        source = section.pin.source
        here = Path.cwd()
        return str(source.relative_to(here) if source.is_relative_to(here) else source)
    if section.pin:
        return "installed"
    return "newest" if section.schema.version is None else ""


def _finding(
    rule: RuleRow, document: ConfigDocument, section: Section, context: dict[str, Section]
) -> Finding | None:
    """Make the finding of a rule that holds; None if the program may well know better."""
    setting = _where(rule, section, context)

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
    made = Finding(
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
    if section.theirs and made.severity == "error":
        made.severity = "warning"
        made.add(CHECKS_LESS)
    lists = list(lists_of(rule["when"], setting.key))
    if lists and not _named_value(made, {name for one in lists for name in listed(one)}):
        return None
    if rule["at"].endswith(".*"):
        _stray(made, next(lists_of(rule["when"], rule["at"][:-2], "strays"), []))
    return made


def _stray(finding: Finding, may_be: list[str]) -> None:
    """Say which of the keys that may stand there is meant, if one is like the one that does."""
    path = finding.setting.path
    if near := meant(may_be, path[-1]):
        name = near[0]
        finding.add(nearest(name))
        to = ".".join((*path[:-1], name))
        if not finding.fix and to not in finding.section.settings:
            finding.fix, finding.applies = [{"rename": finding.setting.key, "to": to}], "suggestion"


def _named_value(finding: Finding, allowed: set[str]) -> bool:
    """Say what a name that the tool does not know is probably meant to be, and how sure that is.

    A program of its own may know the name: what is no slip is a note then. Nothing is told, if the
    repository carries its own copy of the tool.
    """
    setting, section = finding.setting, finding.section
    near = meant(allowed, setting.value)
    theirs = own_program(finding.document, section)
    if section.pin and section.pin.is_carried:
        return False
    if near:
        name, misspelt = near
        finding.add(nearest(name))
        if misspelt and not finding.fix:
            finding.fix, finding.applies = [{"set": setting.key, "value": name}], "suggestion"
    if section.schema.is_newer:
        finding.severity, finding.why = "note", NEWER
    elif finding.severity == "error" and theirs:
        finding.severity = "warning" if near and near[1] else "note"
        finding.add(THEIRS)
    return True


def _where(rule: RuleRow, section: Section, context: dict[str, Section]) -> Setting:
    at, any_of = rule["at"], rule["when"].get("any", ())
    met = {part.get("key") for part in any_of if holds(part, context)}
    for key in sorted(at.split("|"), key=lambda key: key not in met):
        parent, below, _ = key.rpartition(".*")
        if below:
            may_be = next(lists_of(rule["when"], parent, "strays"), [])
            strays = (
                setting
                for setting in section.settings.values()
                if ".".join(setting.path[:-1]) == parent and is_stray(setting.path[-1], may_be)
            )
            return next(strays, section.settings[parent])
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
        if rule["severity"] == "error" and is_read_by_another(document, old):
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
