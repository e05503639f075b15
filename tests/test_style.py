"""The book's YAML in one style: nothing is lost, and writing it twice changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from fixbook.book import Entry, Text, build_model, read_yaml
from fixbook.cli import fmt
from fixbook.style import StyleError, format_source
from fixbook.text import break_lines, columns, join_lines

_ENTRIES = sorted(Path(__file__).parents[1].glob("recipes/*/entry.yaml"))
_WORDS = st.lists(
    st.sampled_from(
        [
            "报错",
            "，",
            "。",
            "a",
            "step",
            "loss",
            "`a b`",
            "1.",
            "-",
            "#",
            "(x)",
            "{{a.b|.2g}}",
            ".",
            "|",
        ]
    ),
    min_size=1,
    max_size=60,
)


@pytest.mark.parametrize("path", _ENTRIES[::9], ids=lambda path: str(path.parent.name))
def test_an_entry_is_read_as_before_and_written_once(path: Path, tmp_path: Path) -> None:
    written = format_source(path.read_text("utf-8"), Entry)
    copy = tmp_path / path.name
    copy.write_text(written, "utf-8")
    before, after = (build_model(Entry, read_yaml(one)) for one in (path, copy))
    assert after == before
    assert format_source(written, Entry) == written


def test_texts_have_a_sentence_a_line_and_keys_the_order_of_the_page() -> None:
    source = (
        "cause: {zh: '第一句话说明这里为什么会失败，第二个分句说明在什么时候失败。"
        "第二句话说明怎样看出来。第三句话再补充一点别的情况。',"
        " en: 'The first sentence says why it fails and when it does so."
        " The second one says how to see it, e.g. by its shape.'}\n"
        "# about the title\n"
        "title: {zh: 短, en: short}\n"
    )
    assert format_source(source, Entry) == (
        "# about the title\n"
        "title: {zh: 短, en: short}\n"
        "cause:\n"
        "  zh: |-\n"
        "    第一句话说明这里为什么会失败，第二个分句说明在什么时候失败。\n"
        "    第二句话说明怎样看出来。\n"
        "    第三句话再补充一点别的情况。\n"
        "  en: |-\n"
        "    The first sentence says why it fails and when it does so.\n"
        "    The second one says how to see it, e.g. by its shape.\n"
    )


def test_a_key_that_yaml_takes_for_a_truth_value_is_quoted() -> None:
    """Old readers read ``off`` as false; numbers are quoted anyway."""
    written = format_source("yours: {}\nsnippets:\n  \"off\": {code: x}\n  '8': {code: y}\n", Entry)
    assert yaml.safe_load(written)["snippets"] == {"off": {"code": "x"}, "8": {"code": "y"}}
    assert format_source(written, Entry) == written


def test_a_comment_behind_a_value_is_not_lost() -> None:
    with pytest.raises(StyleError, match="line of its own"):
        format_source(
            f"signatures:\n- {{id: a, pattern: '{'x' * 200}'}} # why\n- {{id: b}}\n", Entry
        )


def test_what_is_no_yaml_is_said_and_not_written() -> None:
    with pytest.raises(StyleError, match="not valid YAML"):
        format_source("title: {zh: [", Entry)


@given(_WORDS, st.sampled_from(["", " "]), st.integers(20, 80))
def test_broken_lines_join_to_what_they_were(words: list[str], glue: str, width: int) -> None:
    text = join_lines(glue.join(words))
    assert join_lines(break_lines(text, width)) == text


def test_lines_join_as_chinese_is_spaced() -> None:
    assert join_lines("第一行\n第二行\nand more\nof it") == "第一行第二行 and more of it"
    assert join_lines("改成\n`None`\n时。\n`pad`") == "改成 `None` 时。`pad`"
    assert join_lines("降到\n{{a.b|.1f}}\n倍") == "降到 {{a.b|.1f}} 倍"
    assert join_lines("没有别的\n{{mark:read}}\n原因，见\n{{entry:a-b}}\n一页") == (
        "没有别的{{mark:read}}原因，见{{entry:a-b}}一页"
    )
    assert Text(zh="一句。\n两句。", en="One.\nTwo.") == Text(zh="一句。两句。", en="One. Two.")


def test_blocks_that_are_read_by_lines_stay() -> None:
    text = "A:\n\n```text\na\nb\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert join_lines(text) == text


def test_a_chinese_character_takes_two_columns() -> None:
    assert columns("a报") == 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &x [1]\nb: [*x, *x]\n", "uses the anchor or alias 'x'"),
        ("[" * 60, "nests deeper than"),
        ("a: \xe9", "is not UTF-8"),
    ],
)
def test_more_than_plain_data_is_refused_and_left(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "entry.yaml"
    path.write_bytes(text.encode("latin-1"))
    answer = CliRunner().invoke(fmt.command, [str(path)], standalone_mode=False)
    assert answer.return_value == 1
    assert problem in answer.stderr
    assert path.read_bytes() == text.encode("latin-1")
