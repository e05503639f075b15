"""The lines that a fix changes, as an article shows them first."""

from __future__ import annotations

from fixbook.article.change import compared, shown, taken_out
from generator.text.code import in_line

_BEFORE = """\
a: 1
optimizer:
  kind: adam
  params:
    eps: 1.0e-8
    lr: 1.0e-3
    decay: 0
datasets:
- path: x
  split: train
fp16: true
"""


def test_a_changed_line_stands_below_its_keys() -> None:
    after = _BEFORE.replace("lr: 1.0e-3", "lr: 1.0e-4").replace("split: train", "split: test")
    assert shown(compared(_BEFORE, after)).splitlines() == [
        " optimizer:",
        " …",
        "   params:",
        "     eps: 1.0e-8",
        "-    lr: 1.0e-3",
        "+    lr: 1.0e-4",
        "     decay: 0",
        " datasets:",
        " - path: x",
        "-  split: train",
        "+  split: test",
        " fp16: true",
    ]
    assert taken_out(compared(_BEFORE, after)) == []


def test_what_goes_without_another_in_its_place_is_named() -> None:
    lines = compared(_BEFORE, _BEFORE.replace("fp16: true", "bf16: true"))
    assert shown(lines) == "   split: train\n-fp16: true\n+bf16: true"
    assert taken_out(lines) == ["fp16: true"]
    gone = compared('{"a": 1,\n "b": 2}', '{"a": 1\n}')
    assert taken_out(gone) == ['"b": 2}']


def test_texts_that_do_not_differ_show_nothing() -> None:
    assert shown(compared(_BEFORE, _BEFORE)) == ""


def test_code_within_a_sentence_keeps_its_back_quotes() -> None:
    assert in_line("a") == "`a`"
    assert in_line("a`b") == "``a`b``"
    assert in_line("`") == "`` ` ``"
