"""What is printed as JSON has the published form: all of it, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from fixbook.api.forms import FORMS, schemas
from fixbook.book_root import BOOK_VARIABLE
from fixbook.cli import COMMANDS, cli
from fixbook.config.rules import applicable, rules
from generator.exports.api import api
from generator.exports.forms import SERVED
from generator.view.library import load_library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.book import Book

OPEN = {"env"}  # what else stands in it depends on the machine


@pytest.fixture
def files(good: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with something to read; the book is the small one, and no longer after it."""
    monkeypatch.setenv(BOOK_VARIABLE, str(good.root))
    _forget()
    (tmp_path / "train.log").write_text("[rank1]: widget 7 overflowed\n")
    (tmp_path / "other.log").write_text("ValueError: the teapot is empty\n")
    (tmp_path / "requirements.txt").write_text("widgets==1.0\nboxes @ https://example.org/b\n")
    (tmp_path / "train.yaml").write_text("base_model: x\nadapter: lora\nload_in_4bit: true\n")
    yield tmp_path
    _forget()


def _forget() -> None:
    """Let the rules be read again: they are kept for a process, which other tests share."""
    rules.cache_clear()
    applicable.cache_clear()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("diagnose", ["train.log"]),
        ("diagnose", ["other.log"]),
        ("check", ["--tool", "axolotl", "train.yaml"]),
        ("check", ["train.log"]),
        ("audit", ["requirements.txt"]),
        ("audit", []),
        ("search", ["widget"]),
        ("search", ["teapot"]),
        ("list", []),
        ("lint", []),
        ("env", []),
        ("run", ["widget-overflow"]),
        ("verify", ["widget-overflow"]),
    ],
)
def test_a_command_prints_its_form(
    files: Path, monkeypatch: pytest.MonkeyPatch, name: str, arguments: list[str]
) -> None:
    monkeypatch.chdir(files)
    result = CliRunner().invoke(cli, [name, "--json", *arguments])
    told = json.loads(result.stdout)
    assert told["schema_version"] == 1
    Draft202012Validator(schemas()[name]).validate(told)
    if name not in OPEN:
        assert (
            told.keys() - {"elsewhere", "nearest", "search"} == FORMS[name].__annotations__.keys()
        )


def test_every_command_that_prints_json_has_a_form() -> None:
    printing = {
        name
        for name in COMMANDS
        for option in cli.get_command(None, name).params  # type: ignore[union-attr,arg-type]
        if option.name == "as_json"
    }
    pages = {"show", "explain"}  # these print a page: schema/article.json, schema/message.json
    assert printing == FORMS.keys() | pages


def test_files_of_the_api_have_their_form(good: Book) -> None:
    found: dict[str, Any] = dict(api(load_library(good.root), "https://example.org"))
    forms = {"evidence": "evidence", "entries": "article", "messages": "message"}
    seen = set()
    for path, data in found.items():
        if path.startswith(("schema/", "osv/")) and path != "osv/index.json":
            continue
        *folders, file = path.removesuffix(".json").split("/")
        name = "osv-index" if folders == ["osv"] else forms.get((folders or [""])[-1], file)
        TypeAdapter(SERVED[name]).validate_python(data, strict=True, extra="forbid")
        Draft202012Validator(found[f"schema/{name}.json"]).validate(json.loads(json.dumps(data)))
        seen.add(name)
    assert seen >= SERVED.keys() - {"message"}
    listed = found["meta.json"]["schemas"].values()
    assert {one.rpartition("/")[2] for one in listed} == {
        path.removeprefix("schema/") for path in found if path.startswith("schema/")
    }
