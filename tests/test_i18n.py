"""Everything the command says by itself, it says in Chinese when asked to."""

from __future__ import annotations

import os
import re
import string
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from babel.messages.pofile import read_po

from fixbook.cli import COMMANDS, cli, run_command
from fixbook.cli.translated import translated
from fixbook.cli.wrapping import wrap
from fixbook.text import LANGS, choose, i18n
from generator.text.strings import all_strings

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "fixbook/locale/zh/LC_MESSAGES/fixbook.po"
HAN = re.compile(r"[\u4e00-\u9fff]")
# Three English words in a row are a sentence; names of tools and options are not.
ENGLISH = re.compile(r"(?<![-\w])[A-Za-z]?[a-z]+(?: [a-z]{2,}){2,}")


def fixbook(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-m", "fixbook", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_every_message_has_a_translation() -> None:
    script = [sys.executable, str(ROOT / "scripts/update-messages"), "--check"]
    answer = subprocess.run(script, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_translations_keep_every_placeholder() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="zh")
    for message in catalogue:
        if not message.id:
            continue
        said = message.id if isinstance(message.id, str) else message.id[-1]
        string_ = message.string or ""
        translations = [string_] if isinstance(string_, str) else string_
        for translation in translations:
            assert fields(translation) == fields(said), said


def fields(text: str) -> set[str | None]:
    named = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    return named | set(re.findall(r"%\(\w+\)s", text))


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_holds_no_english_sentence(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = {}
    for lang in LANGS:
        assert run_command(cli, [*filter(None, [command]), "--lang", lang, "--help"]) == 0
        said[lang] = capsys.readouterr().out
    assert HAN.search(said["zh"])
    assert ENGLISH.search(said["zh"]) is None, said["zh"]
    assert ENGLISH.search(said["en"]), "the search finds English where there is some"


def test_help_that_was_asked_for_before_changes_its_language() -> None:
    plain = click.Command("train")
    choose("en")
    plain.get_help_option(click.Context(plain))
    choose("zh")
    option = translated(plain).get_help_option(click.Context(plain))
    assert isinstance(option, click.Option)
    assert option.help
    assert HAN.search(option.help)


def test_the_terminal_decides_unless_the_reader_does() -> None:
    assert "用法：" in fixbook("list", "--help", LC_ALL="zh_CN.UTF-8").stdout
    assert "Usage: " in fixbook("list", "--help", "--lang=en", LC_ALL="zh_CN.UTF-8").stdout
    assert "用法：" in fixbook("--lang", "zh", "list", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "widget-overflw"), "是不是想写 widget-overflow？"),
        (("show",), "缺少参数"),
        (("frobnicate",), "没有命令"),
        (("new", "Not A Slug"), "不能作为条目名"),
        (("diagnose", "--top", "x"), "的值不对"),
    ],
)
def test_wrong_usage_is_said_in_chinese(
    make_book: MakeBook, arguments: tuple[str, ...], said: str
) -> None:
    answer = fixbook(*arguments, "--lang", "zh", FIXBOOK_BOOK=str(make_book().root))
    assert answer.returncode == 2
    assert said in answer.stderr
    assert ENGLISH.search(answer.stderr) is None, answer.stderr


def test_a_wrong_entry_is_said_in_chinese(make_book: MakeBook) -> None:
    book = make_book()
    path = book.get("widget-overflow").source.path
    text = path.read_text("utf-8").replace("not_this_if:", "not_that_if:")
    path.write_text(text.replace("status: active", "status: resting"), "utf-8")
    answer = fixbook("show", "widget-overflow", "--lang", "zh", FIXBOOK_BOOK=str(book.root))
    assert answer.returncode == 2
    assert "改法：是不是想写 'not_this_if'？" in answer.stderr
    assert "缺少" in answer.stderr
    assert ENGLISH.search(answer.stderr) is None, answer.stderr


def test_a_message_without_a_translation_stays_as_it_is() -> None:
    i18n.choose("zh")
    assert i18n._("never translated") == "never translated"
    assert i18n._("is missing") == "不存在"


def test_wrapped_lines_fit_and_lose_nothing() -> None:
    text = "加上 --record，全部步骤都与条目一致时写下证据（见 README）。" * 3
    lines = wrap(text, 40, "  ", "    ").split("\n")
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
    assert all(sum(2 if ord(char) > 0x2E80 else 1 for char in line) <= 42 for line in lines)
    assert all(line.lstrip()[0] not in "，。）" for line in lines)
    assert lines[0].startswith("  加")


def test_the_terminal_and_the_site_say_the_same() -> None:
    """Where both use the same English, they use the same Chinese."""
    said = {text["en"].lower(): text["zh"] for text in all_strings().values()}
    chinese = i18n.translator("zh")
    for message in ("Is it yours?", "Other fixes", "Trade-off", "References", "Inferred"):
        assert message.lower() in said
    with CATALOGUE.open("rb") as file:
        messages = [m.id for m in read_po(file, locale="zh") if isinstance(m.id, str)]
    for message in messages:
        if message.lower() in said:
            assert chinese(message) == said[message.lower()], message
