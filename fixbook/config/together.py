"""Files that are checked together: what one says is looked up for a rule on another."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from fixbook.config.errors import ConfigError
from fixbook.config.read import beside, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import RuleRow
    from fixbook.config.setting import ConfigDocument, Section


class Together:
    """The sections of several documents, by the tool that they are for."""

    def __init__(self, documents: list[ConfigDocument]) -> None:
        self._documents = documents
        self._by_tool: dict[str, list[tuple[ConfigDocument, Section]]] = {}
        for document in documents:
            for section in document.sections:
                if section.schema.stands_alone:
                    continue
                self._by_tool.setdefault(section.tool, []).append((document, section))
        self._two = sum(map(len, self._by_tool.values())) == 2  # noqa: PLR2004  (a pair)
        self._read: dict[tuple[Path, str], Section | None] = {}

    def contexts(
        self, rule: RuleRow, document: ConfigDocument, section: Section
    ) -> Iterator[dict[str, Section]]:
        """Yield what the condition of a rule on a section is looked up in.

        That is the section itself, by an empty name, and the section of another tool that the rule
        needs: of a file given as well, or of the one that the section names.
        """
        tool = rule["beside"]
        if not tool:
            yield {"": section}
            return
        named = section.settings.get("deepspeed")
        for other_document, other in self._by_tool.get(tool, ()):
            names_it = (
                named is None or other_document.path.name == str(named.value).rsplit("/", 1)[-1]
            )
            if other is not section and (names_it or self._two):
                yield {"": section, tool: other}
        if named is not None and isinstance(named.value, str):
            path = beside(document, named.value)
            found = self._section_of(path, tool) if path else None
            if found:
                yield {"": section, tool: found}

    def _section_of(self, path: Path, tool: str) -> Section | None:
        """The section of a file that was not given; None if it was, or cannot be read."""
        if (path, tool) not in self._read:
            sections: list[Section] = []
            if path.resolve() not in self._given:
                try:
                    sections = read_file(path, tool).sections
                except ConfigError:
                    sections = []
            self._read[path, tool] = next(iter(sections), None)
        return self._read[path, tool]

    @functools.cached_property
    def _given(self) -> set[Path]:
        return {document.path.resolve() for document in self._documents}
