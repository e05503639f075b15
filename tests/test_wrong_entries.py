"""Every field of an entry, with every kind of wrong value, in every command: no traceback."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import QUERIES_FILE, Entry, load_book, load_entry, load_queries
from fixbook.book_root import BOOK_VARIABLE
from fixbook.cli import cli, run_command
from fixbook.gates import GATES
from fixbook.gates.chinese import passages
from fixbook.gates.reading import Reading
from fixbook.problem import BookError
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY, SLUG, SYMPTOM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOTH = {"zh": "一", "en": "one"}
# What the small book's entry leaves out.
REST: dict[str, Any] = {
    "aliases": {"zh": ["溢出"], "en": ["overflow"]},
    "simulated": {"box": BOTH},
    "bars": [{"measure": "size_bytes", "label": BOTH, "format": "gib"}],
    "config_rules": [
        {
            "id": "some-rule",
            "tools": {"axolotl": "~=0.18"},
            "severity": "error",
            "at": "adapter",
            "when": {"key": "adapter", "is": "lora"},
            "message": BOTH,
            "why": BOTH,
            "fix": [{"remove": "{at}"}],
            "applies": "suggestion",
            "proof": {"by": "step", "step": "fits"},
        }
    ],
}
FULL = {**copy.deepcopy(ENTRY), **REST}
CASE: dict[str, Any] = {
    "says": BOTH,
    "captures": {"number": {"over": 5}},
    "log": ["overflowed"],
    "unless": ["empty"],
    "frames": ["widgets"],
    "unless_frames": ["gadgets"],
    "library": ["widgets"],
    "versions": {"widgets": ">=1"},
    "tool": "axolotl",
    "ranks": {"over": 1},
}
FULL["yours"] = {"number": BOTH}
FULL["snippets"]["raise-limit"]["fills"] = {"8": "number"}
FULL["references"][0]["zh"] = "一份报告"
FULL["fixes"][0]["config"][0]["fills"] = {"8": "number"}
FULL["fixes"][0]["when"] = [CASE]
for part in (FULL["detect"], FULL["non_fixes"][0]):
    part["when"] = [{"says": BOTH, "log": ["overflowed"]}]
for part in (FULL["silent_twin"], FULL["detect"], FULL["fixes"][0], FULL["non_fixes"][0]):
    part["beside"] = ["it-overflows"]
FULL["names"] = {"package": "widgets", "steps": ["it-breaks", "mended"], "now": {"old": "new"}}
FULL["boundary"] = [
    {"package": "widgets", "last_good": "1.0", "first_bad": "1.1", "first_fixed": "2.0"}
    | {"sure": "executed", "began": "read", "reference": "report", "note": BOTH}
]
FULL["claims"][0]["reference"] = "report"
FULL["steps"]["shaken"] |= {"in_force": {"on": "== true"}, "differs": BOTH, "slow": BOTH}
FULL["steps"]["shaken"]["fails"] |= {"log": "box", "as": "overflow"}
FULL["signatures"][0] |= {"context": ["box"], "unless": ["cat"], "overlaps": [SLUG]}
QUERIES: list[dict[str, Any]] = [
    {"kind": "line", "text": "widget 12 overflowed its box", "as": "overflow"}
]
WRONG: list[Any] = [None, [], {}, [None], [["x"]], {"x": 1}, {"x": {"y": []}}, 0, -3, 10**400]
WRONG += [
    1.5,
    float("nan"),
    float("inf"),
    "",
    " ",
    "x",
    "a b",
    "(",
    "2026-13-41",
    "== 1",
    "<1,<",
    "1",
]
WRONG += [
    "y" * 20_000,
    "2026-11-21",
    True,
    "{{x.y}}",
    "{{snippet:no}}",
    "../../x",
    "\x85",
    "👩‍🔬",
    "%",
]
WRONG += ["step:no", "fix:no", BOTH, "```text\nno\n```", "===1.x", ">=1.x", "\x00", "a{99999}"]
_SHARE = 8
_RELEASES = {"last_good", "first_bad", "first_fixed"}
PLACED = re.compile(r"\.yaml:\d+(?::\d+)?: .|: .*(?:YAML|plain data|nest)")


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value, and that of one of several items alone."""
    if path:
        yield path
    for key, value in node.items() if isinstance(node, dict) else ():
        yield from places(value, (*path, key))
    for index, value in enumerate(node[:1]) if isinstance(node, list) else ():
        yield from places(value, (*path, index))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    document = copy.deepcopy(document)
    node = document
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return document


def text_of(document: Any) -> str:
    """JSON is YAML, and is written fast."""
    text = json.dumps(document, indent=1)
    return re.sub(r"\bNaN\b", ".nan", text).replace(" Infinity", " .inf")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_book(tmp_path / "book", copy.deepcopy(ENTRY))
    (root / "recipes" / SLUG / QUERIES_FILE).write_text(text_of(QUERIES), "utf-8")
    (root / "slugs.txt").write_text(f"{SLUG}\n", "utf-8")
    (root / "log.txt").write_text("widget 7 overflowed its box\n", "utf-8")
    (root / "axolotl.yaml").write_text("base_model: x\nadapter: lora\n", "utf-8")
    monkeypatch.setenv(BOOK_VARIABLE, str(root))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("fixbook.cli.demonstration.run_jobs", lambda *_, **__: iter(()))
    return root


def lint(root: Path) -> None:
    """Every gate answers with problems, or says that a file is wrong."""
    reading = Reading(load_book(root, strict=False))
    for gate in GATES.values():
        with contextlib.suppress(BookError):
            for problem in gate(reading):
                assert problem.where
                assert problem.what


def use(root: Path) -> None:
    """Every command ends with one of its exit codes."""
    log, config = str(root / "log.txt"), str(root / "axolotl.yaml")
    for arguments in (
        ["list"],
        ["show", SLUG, "--lang", "zh"],
        ["show", SLUG, "--json"],
        ["run", SLUG],
        ["diagnose", log],
        ["check", config],
    ):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = run_command(cli, arguments)
        assert code in range(8), arguments
        assert code != 2 or ": " in said.getvalue(), arguments


def placed(error: BookError) -> None:
    assert all(PLACED.search(str(problem)) for problem in error.problems), str(error)


def refused(root: Path) -> bool:
    """Tell whether an entry is refused; each of its problems has a place and a remedy."""
    try:
        load_entry(root / "recipes" / SLUG)
    except BookError as error:
        placed(error)
        return True
    return False


def _by_field() -> dict[str, list[tuple[tuple[Any, ...], list[Any]]]]:
    """Every place with what is tried there: a field that was met elsewhere, such as the Chinese
    of a text, takes a smaller share of the values, another one each time.
    """
    by_field: dict[str, list[tuple[tuple[Any, ...], list[Any]]]] = {}
    met: dict[Any, int] = {}
    for path in places(FULL):
        name = path[-1] if isinstance(path[-1], str) else path[-2:]
        times = met[name] = met.get(name, -1) + 1
        share = _SHARE if times or path[0] == "config_rules" else 2  # see test_wrong_rules
        tried = WRONG if path[-1] in _RELEASES else WRONG[times % share :: share]
        by_field.setdefault(path[0], []).append((path, tried))
    return by_field


PLACES = _by_field()


def test_the_entry_is_right_before_it_is_made_wrong(book: Path) -> None:
    (book / "recipes" / SLUG / "entry.yaml").write_text(text_of(FULL), "utf-8")
    assert not refused(book)
    assert set(Entry.model_fields) - set(FULL) <= {"status"}, "every field is tried"


@pytest.mark.parametrize("field", PLACES)
def test_wrong_values(book: Path, field: str) -> None:
    path = book / "recipes" / SLUG / "entry.yaml"
    seen: set[str] = set()
    for place, tried in PLACES[field]:
        for value in tried:
            text = text_of(changed(FULL, place, value))
            path.write_text(text, "utf-8")
            if not refused(book):
                lint(book)
            elif field in seen:
                continue
            seen.add(field)
            use(book)


def test_files_that_are_no_entry(book: Path) -> None:
    path = book / "recipes" / SLUG / "entry.yaml"
    for value in WRONG:
        path.write_text(text_of(value), "utf-8")
        assert refused(book)
    use(book)


def test_wrong_queries(book: Path) -> None:
    path = book / "recipes" / SLUG / QUERIES_FILE
    item = load_entry(path.parent)
    for place in places(QUERIES):
        for value in WRONG[::2]:
            path.write_text(text_of(changed(QUERIES, place, value)), "utf-8")
            try:
                load_queries(item)
            except BookError as error:
                placed(error)
            lint(book)


def test_wrong_symptoms(book: Path) -> None:
    path = book / "symptoms" / "overflow.yaml"
    used = False
    for place in places(SYMPTOM | {"secondary": True, "echo": True}):
        for value in WRONG[::3]:
            whole = SYMPTOM | {"secondary": True, "echo": True}
            path.write_text(text_of(changed(whole, place, value)), "utf-8")
            problems = load_book(book, strict=False).problems
            assert all(PLACED.search(str(problem)) for problem in problems), problems
            if not problems or not used:
                lint(book)
                use(book)
                used = True


def test_a_neighbour_that_is_no_text_is_named(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    other = root / "recipes" / "other" / "entry.yaml"
    other.parent.mkdir()
    other.write_bytes(b"title: \x99\n")
    with pytest.raises(BookError, match=r"other/entry\.yaml: is not UTF-8"):
        list(passages(root))


def test_thousands_of_unknown_keys_ask_for_one_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_book(tmp_path)
    entry = root / "recipes" / SLUG / "entry.yaml"
    entry.write_text(entry.read_text("utf-8") + "".join(f"zz_{n}: 1\n" for n in range(3000)))
    asked: list[str] = []
    schema = Entry.model_json_schema()

    def count() -> dict[str, Any]:
        asked.append("once")
        return schema

    monkeypatch.setattr(Entry, "model_json_schema", count)
    with pytest.raises(BookError) as caught:
        load_entry(entry.parent)
    assert len(caught.value.problems) == 3000
    assert len(asked) <= 1
