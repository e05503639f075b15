"""The page that reports how well failures are found; nobody types a figure of it."""

# ruff: noqa: E501 (prose)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.word_queries import HELD_OUT, TUNED
from fixbook.text import LANGS

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang

_ENGINES = {
    "fixbook": "Fixbook",
    "bm25": "BM25",
    "material": "Material (lunr)",
    "pagefind": "Pagefind",
}
_GROUPS = {
    "log": {"zh": "条目自己的日志", "en": "the entries' own logs"},
    "line": {"zh": "报错的一行", "en": "one line of an error"},
    "variant": {"zh": "换了版本、rank、数值", "en": "another version, rank, values"},
    "paste": {"zh": "整段粘贴", "en": "a whole paste"},
    "keywords": {"zh": "关键词、标识符", "en": "keywords, identifiers"},
    "chinese": {"zh": "中文", "en": "Chinese"},
    "words zh: entry": {"zh": "中文词语，找条目", "en": "a few Chinese words, for an entry"},
    "words en: entry": {"zh": "英文词语，找条目", "en": "a few English words, for an entry"},
    "words zh: message": {"zh": "中文词语，找报错页", "en": "a few Chinese words, for a message"},
    "words en: message": {"zh": "英文词语，找报错页", "en": "a few English words, for a message"},
    "sentences zh": {"zh": "整句的中文提问", "en": "a whole question in Chinese"},
    "sentences en": {"zh": "整句的英文提问", "en": "a whole question in English"},
    "corpus: entry": {"zh": "公开 Issue，有条目", "en": "public issues with an entry"},
    "corpus: message": {
        "zh": "公开 Issue，只有报错页",
        "en": "public issues with a page on the message only",
    },
}
_WORDS = {
    "zh": {
        "title": "找得准不准",
        "about": "把真实的报错交给诊断命令和几种常见的文档搜索，在同一次运行里比较谁找得准。",
        "description": "把真实的报错交给诊断命令和几种常见的文档搜索，在同一次运行里比较谁找得准。",
        "intro": "把报错交给 `fixbook diagnose`（没有特征匹配时按用词搜索），看第一个答案对不对、前三个答案里有没有对的。"
        "同一次运行里，也用同样的页面测试了文档站常用的几种搜索。“对”指条目本身；只有报错原文、分不清原因时，"
        "列出该条目的报错页也算对。",
        "group": "查询的内容",
        "asked": "数量",
        "legend": "每格：第一个就对的比例 / 前三个里有对的比例；括号里是一个结果也没有的次数。",
        "wrong": "不该有答案的时候",
        "none": "{asked} 份公开 Issue 的日志没有对应条目，其中被误认成某个条目的有 {wrong} 份。",
        "held_out": "词语在写别名之前写好，其中一半从不用来调整搜索：这一半里，前三个答案里有对的占 {held:.1%}，"
        "另一半占 {tuned:.1%}。",
        "sentences": "整句的提问是按公开帖子里的说法写的，看答案之前就标好了哪些页算对。写别名时只看其中一半，定阈值时则看过两半的总分："
        "没有看的那一半，前三个答案里有对的占 {held:.1%}，第一个就错的占 {held_wrong:.1%}；看过的那一半是 {tuned:.1%} 和 {tuned_wrong:.1%}。"
        "还有 {nothing} 个问题，问的是手册里没有的内容，其中 {found} 个仍然给出了答案。",
        "no_page": "手册里没有的 {asked} 个说法，找到了不相干页面的有 {found} 个。",
        "no_guess": "没有对应页面的 {asked} 段粘贴（逐行、连成一行各一次），仅按用词给出猜测的有 {guesses} 段。",
        "healthy": "{logs} 份正常运行的日志（共 {size:.0f} MB，{lines:,} 行），被认成某个条目的有 {specific} 份，"
        "提到某条通用报错的有 {messages} 处。",
        "jobs": "{jobs} 个四卡作业，其中一个 rank 失败，原因没有对应的条目，其余 rank 随之退出：诊断结果的标题正是那个 rank 的那行报错的，有 {right} 个。",
        "uncovered": "{asked} 份没有条目、也没有报错页的 Issue 日志：{headline} 份以其中的异常为标题，{likely} 份没有打印异常，"
        "取最像报错的一行，{explained} 份由报错页回答，{nothing} 份没有这样的行。",
        "how": "查询和条目的特征出自同一个人，结果会偏向我们；公开 Issue 的日志没有这个问题。两者都用 `make bench-find` 重跑，"
        "公开 Issue 的日志不在仓库里。",
    },
    "en": {
        "title": "How well failures are found",
        "about": "Real errors, handed to diagnosis and to the usual documentation searches in one run.",
        "description": "Real errors, handed to diagnosis and to the usual documentation searches in one run.",
        "intro": "A failure is handed to `fixbook diagnose`, which searches by words where no signature matches, "
        "and it counts whether the first answer, or one of the first three, is right. The searches that "
        "documentation sites usually have were asked the same in the same run, over the same pages. Right is "
        "the entry; where the text holds only a message with several causes, the page of that message is "
        "right too if it leads to the entry.",
        "group": "What was asked",
        "asked": "how many",
        "legend": "Each cell: right at once / among the first three; in brackets, how often there was no result at all.",
        "wrong": "When there is nothing to find",
        "none": "{asked} logs from public issues have no entry; {wrong} of them were taken for one.",
        "held_out": "The words were written before the aliases, and half of them were never used to "
        "improve anything: of that half {held:.1%} have a right answer among the first three, of the "
        "other {tuned:.1%}.",
        "sentences": "The whole questions were put as people put them in public threads, and labelled before anybody "
        "looked at the answers. Aliases were written with one half in view, thresholds chosen with the totals of both: "
        "of the other half {held:.1%} have a right answer among the first three and {held_wrong:.1%} begin with a "
        "wrong one, of the first {tuned:.1%} and {tuned_wrong:.1%}. Of {nothing} questions about what is not in the book, {found} were answered.",
        "no_page": "Of {asked} words for what is not in the book, {found} found a page that does not fit.",
        "no_guess": "Of {asked} pastes without a page (each by lines and as one line), {guesses} were "
        "answered with a guess by words.",
        "healthy": "Of {logs} logs of runs that went well ({size:.0f} MB, {lines:,} lines), {specific} were taken "
        "for an entry, and a general message was seen {messages} times.",
        "jobs": "Of {jobs} jobs of four ranks, one of which fails for a cause without an entry while the others "
        "follow it, {right} are headlined by the error of that rank.",
        "uncovered": "Of {asked} logs from public issues with neither entry nor page, {headline} are headlined by their exception, "
        "{likely} print none and are headlined by the line that reads most like a failure, {explained} are answered by "
        "the page of a message, and {nothing} have no such line.",
        "how": "The queries were written by those who wrote the signatures, which flatters us; the logs from "
        "public issues were not. `make bench-find` runs both again. The logs from public issues are not part "
        "of the repository.",
    },
}


def write_pages(found: dict[str, Any], docs: Path) -> None:
    """Write the page in both languages."""
    for lang in LANGS:
        (docs / lang / "finding.md").write_text(page(found, lang), "utf-8")


def page(found: dict[str, Any], lang: Lang) -> str:
    """Return the page as Markdown."""
    words = _WORDS[lang]
    engines = [name for name in _ENGINES if any(name in row for row in found["table"])]
    heads = [words["group"], words["asked"], *(_ENGINES[name] for name in engines)]
    rows = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    for row in found["table"]:
        cells = [_GROUPS[row["group"]][lang], str(row["asked"]), *(_cell(row[e]) for e in engines)]
        rows.append(f"| {' | '.join(cells)} |")
    healthy, jobs, open_rows = found["healthy"], found["broken_jobs"], found["uncovered"]
    parts = [
        f"---\ntitle: {words['title']}\ndescription: {words['description']}\n---",
        f"# {words['title']} {{: #top }}",
        words["intro"],
        "\n".join(rows),
        words["legend"],
        words["held_out"].format(**_halves(found["words"]["table"])),
        words["sentences"].format(**_sentences(found["sentences"])),
        f"## {words['wrong']} {{: #nothing }}",
    ]
    if found["without_entry"]:
        asked, wrong = found["without_entry"], len(found["wrong_without_entry"])
        parts.append(words["none"].format(asked=asked, wrong=wrong))
    right = jobs["jobs"] - len(jobs["wrong"])
    parts.append(words["jobs"].format(jobs=jobs["jobs"], right=right))
    if open_rows["asked"]:
        parts.append(
            words["uncovered"].format(**{**open_rows, "nothing": len(open_rows["nothing"])})
        )
    typed = found["words"]
    nothing = typed["nothing"]
    parts.append(words["no_page"].format(asked=nothing["asked"], found=len(nothing["found"])))
    if "uncovered" in typed:
        figures = {"asked": typed["uncovered"], "guesses": len(typed["guesses"])}
        parts.append(words["no_guess"].format(**figures))
    if healthy["logs"]:
        runs = {
            "logs": healthy["logs"],
            "size": healthy["bytes"] / 1e6,
            "lines": found["healthy_lines"],
            "specific": len(healthy["specific"]),
            "messages": len(healthy["messages"]),
        }
        parts.append(words["healthy"].format(**runs))
    return "\n\n".join([*parts, words["how"]]) + "\n"


def _sentences(found: dict[str, Any]) -> dict[str, float]:
    """What is said of whole questions."""
    table, nothing = found["table"], found["nothing"]
    wrong = {f"{name}_wrong": share for name, share in _halves(table, "wrong").items()}
    answered = sum(map(len, nothing["found"].values()))
    return _halves(table) | wrong | {"nothing": nothing["asked"], "found": answered}


def _halves(table: list[dict[str, Any]], what: str = "at_3") -> dict[str, float]:
    """Share of texts that find their page among the first three: held out, and tuned on."""
    shares = {}
    for name, half in (("held", HELD_OUT), ("tuned", TUNED)):
        rows = [row for row in table if row["half"] == half]
        asked = sum(row["asked"] for row in rows)
        shares[name] = sum(row[what] * row["asked"] for row in rows) / max(1, asked)
    return shares


def _cell(scores: dict[str, float]) -> str:
    empty = f" ({scores['empty']:.0f})" if scores["empty"] else ""
    return f"{scores['at_1']:.2f} / {scores['at_3']:.2f}{empty}"
