"""The list of terms finds what it names, where it stands, and nothing in code or quotations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixbook.gates.reading import Reading
from fixbook.gates.terms import FILE, chinese_terms, read_terms
from tests.real_book import usable_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

ROOT = Path(__file__).resolve().parent.parent
LIST = """terms:
  - {zh: 非法内存访问, en: illegal memory access, not: ['非法访存'], note: 只此一种写法。}
  - {zh: batch size, en: batch size, not: ['批大小']}
typography:
  - {id: half-width-punctuation, not: '[一-鿿],', mend: 用全角标点}
"""


def found(book: Book, page: str = "") -> list[str]:
    (book.root / FILE).write_text(LIST, "utf-8")
    (book.root / "docs/zh").mkdir(parents=True, exist_ok=True)
    (book.root / "docs/zh/page.md").write_text(page, "utf-8")
    return [
        str(problem).replace(str(book.root) + "/", "") for problem in chinese_terms(Reading(book))
    ]


def test_a_wrong_word_is_found_on_its_line(make_book: MakeBook) -> None:
    (problem,) = found(make_book(), "第一行\n\n```\n批大小\n```\n出现了非法访存。\n")
    assert problem.startswith("docs/zh/page.md:6: the Chinese text says '非法访存'")
    assert problem.endswith("mend: write 非法内存访问; 只此一种写法。")


@pytest.mark.parametrize(
    "page",
    [
        "见 `批大小` 和 {批大小}。",
        "有人说“批大小”，也有人说「批大小」。",
        "[链接](https://example.org/批大小)",
        '<a title="批大小">链接</a>',
        "写 `a,b`，不写别的。",
    ],
)
def test_code_links_and_quotations_are_left_out(make_book: MakeBook, page: str) -> None:
    assert found(make_book(), page) == []


def test_punctuation_is_checked(make_book: MakeBook) -> None:
    assert "half-width-punctuation: '错,'" in found(make_book(), "写错,改掉。")[0]


def test_entries_are_read_where_they_stand(make_book: MakeBook, entry: dict[str, object]) -> None:
    entry["summary"] = {"zh": "先改批大小。", "en": "Change the batch size."}
    entry["aliases"] = {"zh": ["批大小太大"], "en": []}
    book = make_book(entry)
    (problem,) = found(book)
    line = int(problem.split(":")[1])
    text = book.get("widget-overflow").source.path.read_text("utf-8").splitlines()
    assert "批大小" in text[line - 1] or "\\u6279" in text[line - 1]


def test_a_block_text_is_counted_from_its_first_line(make_book: MakeBook) -> None:
    book = make_book()
    path = book.root / "symptoms/one.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("text:\n  zh: |-\n    第一行\n    批大小\n  en: x\n", "utf-8")
    assert found(book)[0].startswith("symptoms/one.yaml:4: ")


def test_a_book_without_a_list_has_nothing_to_be_checked_against(make_book: MakeBook) -> None:
    assert list(chinese_terms(Reading(make_book()))) == []


def test_no_term_of_the_list_is_forbidden_by_another() -> None:
    terms = read_terms(ROOT / FILE).terms
    for term in terms:
        for other in terms:
            for wrong in other.wrong:
                assert not re.search(wrong, term.zh, re.ASCII), (term.zh, other.zh)


def test_every_pattern_is_a_word_or_a_mark_of_chinese_text() -> None:
    for term in read_terms(ROOT / FILE).terms:
        for wrong in term.wrong:
            assert not re.search(wrong, ""), (term.zh, wrong)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("0.35.2 要 0.6.0", "0.35.2 需要 0.6.0"),
        ("5.24.0 要 peft 0.22.0", "5.24.0 需要 peft 0.22.0，主要的版本是它"),
        ("括号里是要的版本", "括号里是需要的版本"),
        ("仍然向 Hub 要文件", "仍然向 Hub 请求文件，从 Hub 要求的格式"),
        ("离线运行就不会问 Hub", "离线运行就不会请求 Hub，也不访问 Hub"),
        ("依赖钉住了旧版本", "依赖固定了旧版本"),
        ("端口上没有人在听", "端口上没有程序在监听"),
        ("报错自己建议的设置", "照报错的建议设"),
        ("报错没有说是哪一条", "报错说明是哪一条，或者换一种说法"),
        ("只打印一句警告", "只打印一条警告"),
        ("不是装着的那个 torch", "不是已安装的那个 torch，安装着的也可以"),
        ("换成更新的版本", "换成更高版本的，页面更新的时间"),
        ("报错不变，虽然已经升级", "虽然已经升级，报错不变"),
        ("4 bit 的权重和 16 位的模型", "4-bit 的权重，8 位有效数字"),
        ("没有用可重入检查点", "没有用可重入的梯度检查点，断点续训的检查点可以加载"),
        ("关键字被收回", "前向时聚合权重"),
        ("每个参数报到一次", "每个参数就绪一次"),
        ("装完之后重启内核", "装完之后重启 kernel，内核模块也要重新加载"),
        ("worker 被杀掉", "worker 被终止，杀毒软件不算"),
        ("由系统内核来杀", "由系统内核终止进程，因内存不足杀过进程"),
        ("各进程在端口上会合", "各进程通过端口互相连接"),
        ("TRL 写 ", "TRL 里写，TRL 写入的文件，TRL 写死的值"),
        ("作业系统的限制", "作业调度系统和操作系统的限制"),
        ("机器名是数字", "主机名是数字，写在 `hosts` 里"),
        ("版本不在范围里", "版本不在范围内"),
        ("旧版本写 ", "旧版本报错，低版本写入的检查点可以加载"),
        ("PEFT 存下整个表", "PEFT 存下整张表，整个表达式照写"),
        ("升级到 0.50 以上", "升级到 0.50 或更高版本，利用率在 0.9 以上"),
        ("模型需要更新的 vLLM", "模型需要更高版本的 vLLM，没有更新的 LoRA"),
        ("这份报告应当属于第二种", "这份报告应该属于第二种，打印的应当是空列表"),
        ("torch 2.14.1 旁边加载失败", "与 torch 2.14.1 装在一起时加载失败，权重旁边的配置"),
        ("Unsloth 问的是 torch", "Unsloth 由 torch 判断，读者问的是原因"),
    ],
)
def test_the_list_tells_what_reads_as_translated_from_what_is_meant(wrong: str, right: str) -> None:
    patterns = [
        re.compile(pattern, re.ASCII)
        for term in read_terms(ROOT / FILE).terms
        for pattern in term.wrong
    ]
    assert any(pattern.search(wrong) for pattern in patterns)
    assert [pattern.pattern for pattern in patterns if pattern.search(right)] == []


def test_the_site_and_the_pages_keep_to_the_list() -> None:
    problems = map(str, chinese_terms(Reading(usable_book())))
    elsewhere = str(ROOT / "recipes")  # held by the gate itself
    assert [problem for problem in problems if not problem.startswith(elsewhere)] == []
