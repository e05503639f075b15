"""Follow code from one statement to all that it names, without running it."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from fixbook.recipe.reading.data_files import imports_in
from fixbook.recipe.reading.nodes import path_end, pattern
from fixbook.recipe.reading.statements import one_by_one

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fixbook.recipe.reading.modules import Folder, Module

_SNIPPET_CALLS = {"snippet", "snippet_text", "run_snippet"}


class Reach:
    """Follows names from statement to statement and collects what it meets.

    Args:
        folder: The recipe's folder.
        snippets: Source of the entry's Python snippets by id, empty text for other languages.

    Attributes:
        code: Statements in canonical form, in the order they are met.
        snippets: Ids of the snippets that are executed.
        imports: Top-level modules that are imported, or named where they might be.
    """

    def __init__(self, folder: Folder, snippets: Mapping[str, str]) -> None:
        self._folder = folder
        self._known_snippets = snippets
        self._seen: set[tuple[Path, int]] = set()
        self._executed: set[Path] = set()
        self._texts: dict[str, None] = {}
        self.code: list[str] = []
        self.snippets: set[str] = set()
        self.imports: set[str] = set()

    def execute(self, module: Module) -> None:
        """Note what importing a module imports, in the modules it imports too."""
        if module.path in self._executed:
            return
        self._executed.add(module.path)
        self.effects(module)
        for path in self._imported_modules(module, external=True):
            self.execute(self._folder.module(path))

    def effects(self, module: Module) -> None:
        """Collect what importing a module does, and what the modules it imports do."""
        done: set[Path] = set()
        queue = [module]
        while queue:
            current = queue.pop()
            if current.path in done:
                continue
            done.add(current.path)
            for statement in current.effects:
                self.statement(current, statement)
            queue += [self._folder.module(path) for path in self._imported_modules(current)]

    def statement(self, module: Module, node: ast.stmt, *, without: tuple[str, ...] = ()) -> None:
        """Collect a statement and all that it names."""
        key = (module.path, id(node))
        if key in self._seen:
            return
        self._seen.add(key)
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._imported(module, node)
            return
        spelt, parts = self._folder.read(module, node, without)
        self.code.append(spelt)
        for part in parts:
            self._part(module, part)

    def follow_texts(self) -> list[Path]:
        """Follow what string constants name; return the files that are not Python modules."""
        while True:
            texts = list(self._texts)
            found = {path for text in texts for path in self._folder.named_by(text)}
            for path in sorted(found):
                if path.suffix == ".py":
                    self._whole(self._folder.module(path))
            if len(self._texts) == len(texts):
                break
        for text in texts:
            self._library(text.partition(".")[0].strip())
            for name in imports_in(text):
                self._library(name)
        return sorted(path for path in found if path.suffix != ".py")

    def _imported_modules(self, module: Module, *, external: bool = False) -> list[Path]:
        paths = []
        for name in module.sources:
            path = self._folder.local(name)
            if path:
                paths.append(path)
            elif external:
                self._library(name.partition(".")[0])
        return paths

    def _part(self, module: Module, part: ast.AST) -> None:
        match part:
            case ast.Attribute() | ast.Name():
                self._reference(module, part)
            case ast.Import() | ast.ImportFrom():
                for single in one_by_one(part):
                    self._imported(module, single, spell=False)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if (
                name in _SNIPPET_CALLS
            ):
                self._snippet(part)
            case ast.Constant(value=str(text)):
                self._texts[text] = None
            case ast.JoinedStr(values=values):
                self._texts[pattern(values)] = None
            case ast.BinOp(op=ast.Div()):
                self._texts[path_end(part)] = None

    def _reference(self, module: Module, part: ast.Attribute | ast.Name) -> None:
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in module.local_names:
                self._name(self._folder.module(module.local_names[name]), attr)
            case ast.Name(id=name) if name in module.local_names:
                self._whole(self._folder.module(module.local_names[name]))
            case ast.Attribute(value=ast.Name(id=name)) | ast.Name(id=name):
                for statement in module.bindings.get(name, []):
                    self.statement(module, statement)

    def _name(self, module: Module, name: str) -> None:
        """Collect what a name of another module is bound to; the whole module if it is unknown."""
        statements = module.bindings.get(name)
        if not statements:
            self._whole(module)
        for statement in statements or []:
            self.statement(module, statement)

    def _imported(
        self, module: Module, node: ast.Import | ast.ImportFrom, *, spell: bool = True
    ) -> None:
        """Follow an import of one name."""
        alias = node.names[0]
        source = (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        path = self._folder.local(source)
        if path is None:
            if spell:
                self.code.append(self._folder.spell(module, node))
            self._library(source.partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            self._name(self._folder.module(path), alias.name)
        elif not spell:
            return  # what is used of it is met where it is used
        else:
            self.effects(self._folder.module(path))

    def _whole(self, module: Module) -> None:
        for statement in module.tree.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                for single in one_by_one(statement):
                    key = (module.path, hash((id(statement), single.names[0].name)))
                    if key not in self._seen:
                        self._seen.add(key)
                        self._imported(module, single)
            else:
                self.statement(module, statement)

    def _snippet(self, call: ast.Call) -> None:
        match call.args:
            case [ast.Constant(value=str(name)), *_] if name in self._known_snippets:
                names = [name]
            case _:
                names = list(self._known_snippets)
        self.snippets.update(names)
        for name in names:
            for found in imports_in(self._known_snippets[name]):
                self._library(found)

    def _library(self, name: str) -> None:
        if name.isidentifier() and name not in sys.stdlib_module_names and name != "fixbook":
            self.imports.add(name)
