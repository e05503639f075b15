"""YAML from contributors is read as data, within bounds, with line numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.book import MAX_BYTES, read_yaml
from fixbook.book.yaml_source import MAX_DEPTH
from fixbook.problem import BookError

if TYPE_CHECKING:
    from pathlib import Path

ALIAS_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
)


def problem_of(tmp_path: Path, data: str | bytes) -> str:
    path = tmp_path / "entry.yaml"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(BookError) as caught:
        read_yaml(path)
    return str(caught.value)


def test_values_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    path.write_text(
        "title:\n  zh: 标题\nfixes:\n  - id: one\n  - id: two\nadded: 2026-11-21\n", "utf-8"
    )
    source = read_yaml(path)
    assert source.value["fixes"][1] == {"id": "two"}
    assert source.value["added"] == "2026-11-21"
    assert source.lines["fixes", 1, "id"] == 5
    assert source.where(("fixes", 1, "missing")).endswith(":5")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("a: [1\nb: 2\n", "is not valid YAML"),
        ("a: 'x\n", "is not valid YAML"),
        ("a: 1\na: 2\n", "gives 'a' twice"),
        (ALIAS_BOMB, "uses the anchor or alias 'a'"),
        ("--- 1\n--- 2\n", "is not valid YAML"),
        ("[" * 200 + "]" * 200, "nests deeper than"),
        ("a: !!python/object/apply:os.system ['true']\n", "is not plain data|not valid YAML"),
        ("a: !!binary '@'\n", "not plain data"),
        ("? [1, 2]\n: 3\n", "key that is not text"),
        (b"a: \xff\n", "is not UTF-8"),
        (b"a: 1\x00\n", "is not valid YAML"),
        ("a: x\n" + "#" * MAX_BYTES, "bytes; at most"),
    ],
)
def test_unusable_files(tmp_path: Path, data: str | bytes, message: str) -> None:
    text = problem_of(tmp_path, data)
    assert any(part in text for part in message.split("|")), text
    assert "entry.yaml" in text
    assert "mend: " in text


def test_file_of_50_mb_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    with path.open("wb") as out:
        out.truncate(50 * 1024**2)
    with pytest.raises(BookError, match="52,428,800 bytes"):
        read_yaml(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="cannot be read: No such file"):
        read_yaml(tmp_path / "none.yaml")


def test_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: two\r\n")
    assert read_yaml(path).value == {"a": 1, "b": "two"}


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: 1\na: 2\n", 2), ("a: 1\nb: 2\na: 3\n", 3), ("a: 1\n\n2:\n  c: 1\n  c: 2\n", 5)],
)
def test_a_repeated_key_is_told_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    assert f"entry.yaml:{line}: gives" in problem_of(tmp_path, text)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ("a: 1\nb: 2\na: 3\n", "entry.yaml:3: "),
        ("a: 1\nb: 2\nc: &x 3\n", "entry.yaml:3: "),
        ("a: 1\nb: 2\nc:\n  - d: [1\ne: 2\n", "entry.yaml:5:2: "),
        ("a: 1\nb: 2\nc: !!binary '@'\n", "entry.yaml:3: "),
        ("a: 1\nb:\n" + "- " * (MAX_DEPTH + 1) + "x\n", "entry.yaml:3: "),
    ],
)
def test_a_problem_names_its_line(tmp_path: Path, data: str, place: str) -> None:
    assert place in problem_of(tmp_path, data)


def test_depth_is_counted_by_what_is_open(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    path.write_text("- " * MAX_DEPTH + "x\n" + "- []\n" * 40, "utf-8")
    value = read_yaml(path).value
    for _level in range(MAX_DEPTH):
        value = value[0]
    assert value == "x"
    assert "nests deeper" in problem_of(tmp_path, "- " * (MAX_DEPTH + 1) + "x\n")


def test_without_a_line_of_its_own_a_part_stands_where_its_parent_does(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    path.write_text("# nothing but a remark\n", "utf-8")
    assert read_yaml(path).where(("title",)).endswith(":1")


def test_a_remark_cuts_an_unquoted_text_alone(tmp_path: Path) -> None:
    path = tmp_path / "entry.yaml"
    path.write_text("a: one # two\nb: 'one' # two\nc:\n- x # y\n- {d: e} # f\ng: last\n", "utf-8")
    assert read_yaml(path).cut == {("a",): "# two", ("c", 0): "# y"}
    path.write_text("a: one # two", "utf-8")
    assert read_yaml(path).cut == {("a",): "# two"}


def test_what_the_parser_says_is_repeated(tmp_path: Path) -> None:
    said = problem_of(tmp_path, "a: [1\nb: 2\n")
    assert "is not valid YAML: " in said
    assert "entry.yaml" in said
    assert '", line' not in said  # the parser's own text with its place, which is told before
