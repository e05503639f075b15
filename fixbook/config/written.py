"""Whether ``--fix`` may write a mend: only where the training stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.setting import UNKNOWN

if TYPE_CHECKING:
    from fixbook.book import RuleRow
    from fixbook.config.setting import Section
    from fixbook.config.tool import Schema


def applies(rule: RuleRow, section: Section) -> str:
    """Return whether the mend of a rule is ``safe``, or a ``suggestion``.

    What the rule says holds for the releases that it is about. Of a file whose release nobody
    names, the newest is assumed to report, and not to write.
    """
    bound = any(rule["tools"][name] for name in rule["tools"] if _names(name, section.schema))
    return rule["applies"] if not bound or is_known(section.schema) else "suggestion"


def applies_to_rename(rule: RuleRow, section: Section, old: str, new: str) -> str:
    """Return whether a new name may be written in the place of an old one.

    It may where the tool takes both as one (a note says so), or ends at the old one; where it drops
    the old one without a word, the value would come into force for the first time. Which of these
    it is depends on the release. Of two names that are both set, the old one goes only if both
    have the same value, which has to stand in the file.
    """
    schema = section.schema
    if not is_known(schema):
        return "suggestion"
    if new in section.settings:
        values = section.settings[new].value, section.settings[old].value
        return "safe" if values[0] == values[1] and UNKNOWN not in values else "suggestion"
    is_noticed = rule["severity"] == "note" or not schema.tool.drops_key(old)
    return "safe" if is_noticed else "suggestion"


def is_known(schema: Schema) -> bool:
    """Tell whether somebody named the release, and it is among those whose keys were read."""
    return schema.version is not None and not schema.is_newer and not schema.is_older


def _names(name: str, schema: Schema) -> bool:
    return name.partition("/")[0] == schema.tool.name
