"""Files that are checked together: what one says is looked up for a rule on another."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.errors import ConfigError
from fixbook.config.read import beside, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import RuleRow
    from fixbook.config.setting import ConfigDocument, Section, Setting


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
        # Two files that somebody named together are for one run; of a folder, nobody said so.
        self._two = sum(map(len, self._by_tool.values())) == 2 and not any(  # noqa: PLR2004
            document.of_folder for document in documents
        )
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
            pair = self._two if named is None else self._is_named(document, other_document, named)
            if other is not section and pair:
                yield {"": section, tool: other}
        if named is not None and isinstance(named.value, str):
            path = beside(document, named.value)
            found = self._section_of(path, tool) if path else None
            if found:
                yield {"": section, tool: found}

    def _is_named(self, document: ConfigDocument, other: ConfigDocument, named: Setting) -> bool:
        """Tell whether a setting names another document: the file itself, else one of its name."""
        if not isinstance(named.value, str):
            return self._two
        if path := beside(document, named.value):
            return path.resolve() == other.path.resolve()
        wanted, path = Path(named.value), other.path.absolute()
        tail = path.parts[-len(wanted.parts) :] == wanted.parts
        return tail or (self._two and path.name == wanted.name)

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
