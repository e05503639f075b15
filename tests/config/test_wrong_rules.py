"""Wrong rules: each is refused with its place, and none ends a check with a traceback."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixbook.book import Book, BookRule, load_book, load_rule
from fixbook.config.check import check
from fixbook.config.predicate import holds
from fixbook.config.read import parse
from fixbook.gates.reading import Reading
from fixbook.gates.rules import known_rules
from fixbook.index.cache import build_rules
from fixbook.problem import BookError
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Iterator

BOTH = {"zh": "错了", "en": "wrong"}
RULE: dict[str, Any] = {
    "tools": {"axolotl": "~=0.18"},
    "severity": "error",
    "at": "adapter|load_in_4bit",
    "when": {
        "all": [
            {"key": "adapter", "is": "lora"},
            {"not": {"any": [{"key": "optimizer", "in": ["a", 1, True]}]}},
            {"key": "sequence_len", "over": 4},
            {"key": "base_model", "matches": "x+"},
            {"key": "micro_batch_size", "indivisible": ["sequence_len"]},
            {"key": "load_in_4bit", "active": True},
            {"not": {"key": "base_model", "within": ">=2,<3"}},
        ]
    },
    "message": BOTH,
    "why": {**BOTH},
    "fix": [{"set": "adapter", "value": "qlora"}, {"remove": "{at}"}],
    "applies": "suggestion",
    "proof": {"by": "axolotl", "says": "no"},
}
CONFIG = "base_model: xx\nadapter: lora\nsequence_len: 5\nmicro_batch_size: 7\nload_in_4bit: on\n"
WRONG: list[Any] = [None, 1, 1.5, "", "x", True, [], {}, [1], {"x": 1}, "~=0", 10**400, [None]]
WRONG += [float("nan"), "(", "a" * 300, {"key": "x"}, [[]], "a{99999999999}", "\x85"]


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, value in node.items() if isinstance(node, dict) else ():
        yield from places(value, (*path, key))
    for index, value in enumerate(node) if isinstance(node, list) else ():
        yield from places(value, (*path, index))


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    rule = copy.deepcopy(RULE)
    node: Any = rule
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return rule


def write(root: Path, rule: Any, text: str = "") -> Path:
    folder = root / "rules" / "some-rule"
    folder.mkdir(parents=True, exist_ok=True)
    text = text or yaml.safe_dump(rule, allow_unicode=True)
    (folder / "rule.yaml").write_text(text, "utf-8")
    return folder


def refusal(folder: Path) -> list[str]:
    """What is wrong with a rule; one that is right is evaluated and linted."""
    try:
        item = load_rule(folder)
    except BookError as error:
        return [str(problem) for problem in error.problems]
    row = item.row()
    if row["when"]:
        section = parse(CONFIG, Path("c.yaml"), "axolotl").sections[0]
        assert holds(row["when"], {"": section}) in {True, False, None}
    return [str(problem) for problem in known_rules(Reading(book_of(folder, item)))]


def book_of(folder: Path, item: BookRule) -> Book:
    return Book(folder.parent.parent, {}, rules={"some-rule": item})


def test_the_rule_is_right(tmp_path: Path) -> None:
    folder = write(tmp_path, RULE)
    for name in ("fails.yaml", "passes.yaml"):
        (folder / name).write_text(CONFIG, "utf-8")
    assert refusal(folder) == []


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=st.sampled_from(list(places(RULE))), value=st.sampled_from(WRONG))
def test_any_value_in_any_place_is_taken_or_refused(
    path: tuple[Any, ...], value: Any, tmp_path: Path
) -> None:
    for said in refusal(write(tmp_path, changed(path, value))):
        assert said.startswith(str(tmp_path / "rules" / "some-rule"))


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("tools", "axolotl"), "~=1", "rule.yaml:15: tools.axolotl: found '~=1'"),
        (
            ("tools", "axolotol"),
            "",
            "tools: 'axolotol' is not known\n    mend: did you mean axolotl",
        ),
        (("tools", "trl/GRPO"), "", "tools: trl has no schema 'GRPO'"),
        (("severty",), "note", "severty: unknown key\n    mend: did you mean 'severity'?"),
        (("severity",), "bad", "severity: found 'bad'"),
        (("when", "all", 0, "iss"), 1, "when.all.0.iss: unknown key\n    mend: did you mean 'is'?"),
        (
            ("when", "all", 0, "key"),
            "adaptr",
            "'adaptr' is a key of no tool\n    mend: did you mean",
        ),
        (("when", "all", 0, "active"), True, "write one of all, any and not, or a key with one"),
        (("when", "all", 2, "over"), "4", "when.all.2.over: found '4'\n    mend: must be a number"),
        (("when", "all", 3, "matches"), "(", "is not a regular expression"),
        (("fix", 0, "remove"), "x", "write set with value, or remove, or rename with to"),
        (("proof", "by"), "me", "proof.by: found 'me'"),
        (
            ("beside",),
            "deepsped",
            "beside: 'deepsped' is not known\n    mend: did you mean deepspeed",
        ),
        (("entry",), "no-such-entry", "entry: 'no-such-entry' is not known"),
        (("when", "all", 6, "not", "within"), ">>2", "when.all.6.not.within: found '>>2'"),
        (("id",), "other", "id: unknown key\n    mend: remove it: a rule is called as its folder"),
    ],
)
def test_refusals_say_where_and_what_to_write(
    path: tuple[Any, ...], value: Any, said: str, tmp_path: Path
) -> None:
    assert said in "\n".join(refusal(write(tmp_path, changed(path, value))))


MACHINE = {
    **{key: RULE[key] for key in ("severity", "message", "why", "proof")},
    "tools": {"machine": ""},
    "at": "packages.torch",
    "when": {
        "all": [
            {"key": "packages.torch", "within": "<2.3"},
            {"key": "packages.nvidia-cublas", "set": True},
            {"key": "variables.NCCL_ANY_OF_THEM", "set": False},
            {"key": "cuda.driver_major", "below": "torch.cuda_major"},
        ]
    },
}


def test_rule_on_a_machine_names_what_a_report_has(tmp_path: Path) -> None:
    folder = write(tmp_path, MACHINE)
    for name in ("fails.json", "passes.json"):
        (folder / name).write_text("{}", "utf-8")
    assert refusal(folder) == []
    wrong = copy.deepcopy(MACHINE)
    wrong["when"]["all"][3]["below"] = "torch.cuda_mayor"
    wrong["at"] = "package.torch"
    said = refusal(write(tmp_path, wrong))
    assert len(said) == 2
    assert "no report of a machine has a key 'torch.cuda_mayor'" in said[0]
    assert "did you mean torch.cuda_major" in said[0]
    assert "package.torch" in said[1]


def test_file_that_is_no_rule(tmp_path: Path) -> None:
    for text in ("- 1\n", "x", "a: [\n", "a: &a 1\n", "when: !!timestamp nope\n", "{}\n"):
        assert refusal(write(tmp_path, None, text))


def test_lists_at_the_first_column_are_read(tmp_path: Path) -> None:
    """As ``yaml.safe_dump`` writes them, in a rule and in an entry."""
    folder = write(tmp_path, RULE)
    assert "\n- remove:" in (folder / "rule.yaml").read_text("utf-8")
    assert len(load_rule(folder).rule.fix) == 2


def test_rule_that_is_wrong_is_left_out_of_a_check(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    write(tmp_path, changed(("severity",), 3))
    assert build_rules(tmp_path) == {"rules": []}
    assert len(load_book(tmp_path, strict=False).problems) == 1


def test_rule_that_is_there_twice(tmp_path: Path) -> None:
    book = real_book()
    item = next(rule for rule in book.rules.values() if rule.entry)
    (tmp_path / "rules" / item.rule.id).mkdir(parents=True)
    entry = tmp_path / "recipes" / str(item.entry)
    entry.mkdir(parents=True)
    (entry / "entry.yaml").write_bytes(item.source.path.read_bytes())
    folder = tmp_path / "rules" / item.rule.id
    (folder / "rule.yaml").write_text(yaml.safe_dump(RULE), "utf-8")
    said = str(load_book(tmp_path, strict=False).problems[0])
    assert f"a rule called {item.rule.id!r} as well" in said


def test_command_without_a_setting_is_checked() -> None:
    script = parse("python3 -m verl.trainer.main_ppo\n", Path("run.sh"))
    assert [item.rule for item in check([script]).findings] == ["verl-micro-batch-missing"]


def test_name_of_another_file_that_is_too_long() -> None:
    config = parse(f"base_model: a\nstage: sft\ndeepspeed: {'x' * 5000}\n", Path("c.yaml"))
    check([config])
