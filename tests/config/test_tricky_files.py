"""Files that are written in unusual ways come out of a fix as they went in, but for the fix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from fixbook.config.edit import CannotMendError
from fixbook.config.patch import apply
from fixbook.config.read import parse
from tests.config.tricky import JSON, REFUSED, YAML

SHAPES = {f"{name}.yaml": text for name, text in YAML.items()}
SHAPES |= {f"{name}.json": text for name, text in JSON.items()}
RENAME = {"rename": "OLD", "to": "NEW"}
REMOVE = {"remove": "GONE"}
SET = {"set": "SET", "value": "some: text"}
ADD = {"set": "ADDED", "value": True}


def fixed(name: str, text: str, operation: dict[str, Any]) -> str:
    document = parse(text, Path(name))
    return apply(document, document.sections[0], [operation])


def data(name: str, text: str) -> dict[Any, Any]:
    if name.endswith("json"):
        return dict(json.loads(text))
    return dict(yaml.load(text, Loader=yaml.CSafeLoader))


def changed(before: str, after: str) -> tuple[str, str]:
    """Return what differs: the part of each text between what they share at both ends."""
    start = shared(before, after)
    left, right = before[start:], after[start:]
    end = shared(left[::-1], right[::-1])
    return left[: len(left) - end], right[: len(right) - end]


def shared(left: str, right: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))


def having(key: str) -> list[str]:
    return [name for name, text in SHAPES.items() if key in data(name, text)]


def test_there_are_enough_shapes() -> None:
    assert len(having("OLD")) >= 60
    assert min(len(having("GONE")), len(having("SET"))) >= 30


@pytest.mark.parametrize("name", having("OLD"))
def test_rename_changes_the_name_alone(name: str) -> None:
    text = SHAPES[name]
    result = fixed(name, text, RENAME)
    assert changed(text, result) == ("OLD", "NEW")
    wanted = {("NEW" if key == "OLD" else key): value for key, value in data(name, text).items()}
    assert list(data(name, result).items()) == list(wanted.items())
    with pytest.raises(CannotMendError):
        fixed(name, result, RENAME)


@pytest.mark.parametrize("name", having("GONE"))
def test_remove_takes_one_piece_out_and_no_comment(name: str) -> None:
    text = SHAPES[name]
    result = fixed(name, text, REMOVE)
    removed, added = changed(text, result)
    assert added == ""
    assert " #" not in removed
    assert "OLD" not in removed
    wanted = data(name, text)
    del wanted["GONE"]
    assert list(data(name, result).items()) == list(wanted.items())
    assert result.endswith("\n") == text.endswith("\n")
    with pytest.raises(CannotMendError):
        fixed(name, result, REMOVE)


@pytest.mark.parametrize("name", having("SET"))
def test_set_replaces_the_value_alone(name: str) -> None:
    text = SHAPES[name]
    result = fixed(name, text, SET)
    removed, added = changed(text, result)
    assert "\n" not in removed + added
    assert " #" not in removed
    assert data(name, result) == data(name, text) | {"SET": "some: text"}
    assert fixed(name, result, SET) == result


@pytest.mark.parametrize("name", SHAPES)
def test_new_key_is_added_to_what_is_there(name: str) -> None:
    text = SHAPES[name]
    result = fixed(name, text, ADD)
    rest = iter(result)
    assert all(character in rest for character in text), "something was taken out"
    assert len(result) <= len(text) + len('\n  "ADDED": true,')
    assert data(name, result) == data(name, text) | {"ADDED": True}
    assert result.endswith("\n") == text.endswith("\n")
    assert fixed(name, result, ADD) == result


@pytest.mark.parametrize("name", REFUSED)
def test_edit_that_reaches_further_is_refused_and_said_why(name: str) -> None:
    text, operation = REFUSED[name]
    with pytest.raises(CannotMendError) as refused:
        fixed("c.yaml", text, operation)
    assert set(refused.value.reason) == {"zh", "en"}
    assert refused.value.kind != "unread"


PYTHON = "from transformers import TrainingArguments\nargs = TrainingArguments(\n{})\n"


@pytest.mark.parametrize(
    "body",
    [
        "    OLD=1,  # one\n    GONE=2,  # two\n    SET=3,  # three\n",
        "    OLD=1, GONE=2, SET=3",
        "    SET='x', OLD={'a': 1},\n    # about the last\n    GONE=f(1, [2])\n",
        "    *more, OLD = 1, SET = None, GONE = (\n        2), **rest",
        "    OLD='名', SET=\"值\", GONE=lambda: (1, 2)",
    ],
)
@pytest.mark.parametrize("operation", [RENAME, REMOVE, SET, ADD], ids=["old", "gone", "set", "add"])
def test_python_keeps_its_comments_or_is_left_alone(body: str, operation: dict[str, Any]) -> None:
    text = PYTHON.format(body)
    try:
        result = fixed("c.py", text, operation)
    except CannotMendError:
        assert "(\n" in body  # brackets around a value are not part of its place
        return
    compile(result, "c.py", "exec")
    assert result.count("#") == text.count("#")
    assert ("GONE" in result) == (operation is not REMOVE)
