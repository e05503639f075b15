"""Put what is compiled from the book into the wheel, so that no installation has to compile it."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What authors write to try an entry; those who install the package do neither search nor judge it.
FOR_AUTHORS = {"queries.yaml", "words.yaml", "threads.yaml"}


class CompiledBook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the entries, index, rules, boundaries and all pages into the wheel."""

    PLUGIN_NAME = "custom"
    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the book of this checkout; an editable installation reads that itself."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from fixbook.article.shelf import PAGES, ready_pages  # noqa: PLC0415
            from fixbook.book import load_book  # noqa: PLC0415
            from fixbook.index.bounds import bound_rows  # noqa: PLC0415
            from fixbook.index.build import rows_from  # noqa: PLC0415
            from fixbook.index.cache import BOUNDS, INDEX, LATER, RULES, rules_of  # noqa: PLC0415
            from fixbook.laid_out import laid_out  # noqa: PLC0415
            from fixbook.packed import pack  # noqa: PLC0415
            from fixbook.recipe.record.store import RECORDS, packed_evidence  # noqa: PLC0415
            from fixbook.text import LANGS  # noqa: PLC0415
        finally:
            sys.path.remove(self.root)
        book = load_book(Path(self.root))
        self._folder = Path(tempfile.mkdtemp(prefix="fixbook-wheel-"))
        records = packed_evidence(book)
        files = {
            INDEX: laid_out(rows_from(book), LATER[INDEX]).encode(),
            RULES: _json(rules_of(book)),
            BOUNDS: _json(bound_rows(book)),
            # A fifth smaller so; nobody waits for one record.
            RECORDS: pack(records, together=len(records)),
            **{PAGES.format(lang=lang): pack(ready_pages(book, lang)) for lang in LANGS},
        }
        root = Path(self.root)
        paths = [*(root / "recipes").rglob("*"), *(root / "rules").rglob("rule.yaml")]
        for path in sorted(paths):  # the configurations of a rule are for those who prove it
            at = path.relative_to(root)
            if path.is_file() and not _elsewhere(at):
                build_data["force_include"][str(path)] = f"fixbook/_book/{at.as_posix()}"
        for name, content in files.items():
            path = self._folder / name
            path.write_bytes(content)
            build_data["force_include"][str(path)] = f"fixbook/_book/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        del version, build_data, artifact_path
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _json(rows: dict[str, Any]) -> bytes:
    return json.dumps(rows, ensure_ascii=False).encode()


def _elsewhere(at: Path) -> bool:
    """Tell whether a file of an entry is packed with others, or not for those who install."""
    packed = at.parent.name == "evidence" and at.suffix == ".json"
    return packed or at.name in FOR_AUTHORS or at.suffix == ".pyc"
