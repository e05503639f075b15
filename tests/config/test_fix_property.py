"""Whatever a file looks like, ``--fix`` changes what it should and leaves the rest alone."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fixbook.config.check import check
from fixbook.config.edit import CannotMendError
from fixbook.config.patch import apply, mended
from fixbook.config.read import parse
from tests.config.written import json_texts, operations, yaml_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

if TYPE_CHECKING:
    from fixbook.config.setting import ConfigDocument

WORDS = st.text("abcdefgh xyz", min_size=1, max_size=12).map(str.strip).filter(bool)
SCALARS = st.one_of(
    st.sampled_from(["true", "false", "~", "12", "0.5", "1e-4", "'single'", '"double # no"', "on"]),
    WORDS,
)
# Each spelling that is mended, with the one it becomes.
MENDED = {
    "sequence_length": ("2048", "sequence_len"),
    "gradient_chekpointing": ("true", "gradient_checkpointing"),
    "evaluation_strategy": ("steps", "eval_strategy"),
    "dataset_processes": ("4", "dataset_num_proc"),
    "max_packed_sequence_len": ("2048", None),
}
NEUTRAL = [
    "wandb_name",
    "hub_model_id",
    "output_dir",
    "dataset_prepared_path",
    "wandb_entity",
    "tokenizer_config",
]


@st.composite
def lines_of(draw: st.DrawFn) -> str:
    keys = draw(st.permutations([*MENDED, *NEUTRAL]))
    width = draw(st.sampled_from([0, 2]))
    gap = draw(st.sampled_from([" ", "  "]))
    out = [
        "base_model: a/b",
        "datasets:",
        f"{' ' * width}- path: c",
        f"{' ' * width}  type: alpaca",
    ]
    for number, key in enumerate(keys[: draw(st.integers(1, len(keys)))]):
        out += [f"# own line {number}"] * draw(st.integers(0, 1))
        out += [""] * draw(st.integers(0, 1))
        value = MENDED[key][0] if key in MENDED else draw(SCALARS)
        behind = (
            f"{gap}# behind {number}"
            if draw(st.booleans()) and key != "max_packed_sequence_len"
            else ""
        )
        out.append(f"{key}:{gap}{value}{behind}")
    out += ["model_config: &anchor", "  # inside", "  a: {b: [1, 2]}", "micro_batch_size: 1"]
    out += ["tokens:", "  - x", "  # last of the list"] * draw(st.integers(0, 1))
    return "\n".join(out) + draw(st.sampled_from(["", "\n", "\n# the end\n"]))


def _comments(text: str) -> list[str]:
    return sorted(
        "# " + line.partition(" # ")[2]
        for line in ("\n" + text).splitlines()
        if "# " in line and "no" not in line
    )


def _keys(text: str) -> list[str]:
    return list(yaml.safe_load(text))


@settings(max_examples=150, deadline=None)
@given(lines_of())
def test_comments_order_and_everything_else_stay(text: str) -> None:
    document = parse(text, Path("config.yaml"), "axolotl")
    report = check([document])
    fixable = [finding for finding in report.findings if finding.fix]
    result, applied = mended(document, report.findings)
    assert _comments(result) == _comments(text)
    names = {finding.setting.key: MENDED[finding.setting.key][1] for finding in applied}
    expected = [names.get(key, key) for key in _keys(text)]
    assert _keys(result) == [key for key in expected if key is not None]
    before, after = yaml.safe_load(text), yaml.safe_load(result)
    assert all(
        after[names.get(key, key)] == value for key, value in before.items() if names.get(key, key)
    )
    assert "&anchor" in result
    untouched = [
        line for line in text.splitlines() if line and not any(key in line for key in MENDED)
    ]
    assert [line for line in untouched if line not in result.splitlines()] == []
    if len(applied) == len(fixable):
        again = check([parse(result, Path("config.yaml"), "axolotl")]).findings
        assert not [finding for finding in again if finding.fix]


def _load(kind: str, text: str) -> Any:
    return json.loads(text) if kind == "json" else yaml.load(text, Loader=yaml.CSafeLoader)


def _carried_out(data: dict[Any, Any], operation: dict[str, Any]) -> dict[Any, Any]:
    """The same operation on plain data, where it is easy."""
    name = operation.get("rename") or operation.get("remove") or operation["set"]
    head, _, rest = name.partition(".")
    if rest:
        inner = {
            verb: part.partition(".")[2] for verb, part in operation.items() if verb != "value"
        }
        below = inner | {"value": operation["value"]} if "value" in operation else inner
        return data | {head: _carried_out(data[head], below)}
    if "set" in operation:
        return data | {name: operation["value"]}
    new = operation.get("to")
    pairs = ((new if key == name else key, value) for key, value in data.items())
    return {key: value for key, value in pairs if key is not None}


def _hashes(text: str) -> int:
    """Comments alone: the generated documents write them with these words.

    Inside a block of text the same words are content, and go with it.
    """
    content = "\n".join(_strings(yaml.safe_load(text)))
    marks = [f"# {word}" for word in ("own", "behind", "item", "top", "end")]
    return sum(text.count(mark) - content.count(mark) for mark in marks)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(["yaml", "yaml", "json"]))
def test_an_operation_changes_what_it_names_or_nothing(data: st.DataObject, kind: str) -> None:
    text, names = data.draw(yaml_texts() if kind == "yaml" else json_texts())
    operation = data.draw(operations(names))
    before = _load(kind, text)
    document = parse(text, Path(f"c.{kind}"))
    try:
        result = apply(document, document.sections[0], [operation])
    except CannotMendError as error:
        if error.kind == "unread":  # an edit that breaks the file is a mistake of ours
            raise
        return
    wanted = _carried_out(before, operation)
    assert repr(_load(kind, result)) == repr(wanted) or "set" in operation
    assert _load(kind, result) == wanted
    assert kind == "json" or _hashes(result) == _hashes(text)
    assert result.endswith("\n") == text.endswith("\n")
    short = next(iter(operation.values())).rpartition(".")[2]
    removed = [line[2:] for line in difflib.ndiff(_lines(text), _lines(result)) if line[:2] == "- "]
    if "remove" not in operation and not _is_collection(document, operation):
        assert len(removed) <= 1
        assert all(short in line or short == "added" for line in removed)
    again = parse(result, Path(f"c.{kind}"))
    if "set" in operation:
        assert apply(again, again.sections[0], [operation]) == result


def _is_collection(document: ConfigDocument, operation: dict[str, Any]) -> bool:
    """Whether a value is replaced that may stand on several lines."""
    setting = document.sections[0].settings.get(operation.get("set", ""))
    return setting is not None and isinstance(setting.value, dict | list)


def _lines(text: str) -> list[str]:
    return text.split("\n")
