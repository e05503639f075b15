"""The page that reports what checks of configurations rest on; nobody types a figure of it.

`scripts/check-upstream-configs` writes all of it; ``python -m bench.checking_page`` the table of
rules and releases alone, which needs no network.
"""

# ruff: noqa: E501 (prose)
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.upstream import NEWEST, WRITTEN
from fixbook.config.rules import rules
from fixbook.config.tables import changed_names
from fixbook.config.tools import EVERY, TOOLS, imports
from fixbook.text import LANGS

if TYPE_CHECKING:
    from bench.upstream import Outcome, Repository
    from fixbook.text import Lang

_END = "\n\n"  # of a table
_WORDS = {
    "zh": {
        "title": "配置检查的依据",
        "description": "每个工具有多少条规则、键表读自哪些版本，以及对公开的示例配置报了哪些问题。",
        "intro": "`fixbook check` 和[诊断页](diagnose.md)用同一个程序、同一份规则检查配置。每条规则都有一份会失败的配置和一份不会失败的配置，测试会让真正的工具（或者条目的复现脚本）证明前者确实失败。检查从不说“没问题”，只说没有发现已知会出错的组合。",
        "tables": "规则和键表 {: #tables }",
        "tables_text": "键表由脚本从各版本的安装包里读出；能安装的版本，测试还会把键表和安装包对照一遍，不会走样。Python 文件导入的名字也这样查：后来的版本删掉了哪些名字、哪些名字从哪个版本起才有，由另一个脚本从安装包里读出。",
        "heads": "工具|规则|键表读自|删掉的名字 / 后来才有的名字",
        "range": "{count} 个版本，{first} 到 {last}",
        "upstream": "公开的示例配置 {: #upstream }",
        "upstream_text": "别的项目的示例本来就跑得通，所以在这些示例里报出的每一处，要么报对了，要么就是我们错了。下面每一处都由人看过，都报对了，理由写在 `bench/upstream.yaml` 里。每个文件查两遍，一遍按文件里写的版本，一遍按最新的版本。",
        "upstream_heads": "工具|文件|报出问题的文件|按文件里写的版本|按最新的版本",
        "counts": "{error} 错误 / {warning} 警告 / {note} 提示",
        "sum": "一共读了 {files} 个文件，来自 {repositories} 个仓库；{findings} 处问题里，没有人看过的有 {new} 处。另有 {unread} 个文件不是配置（模板、数据列表、带注释的 JSON）。",
        "repositories": "所读的仓库和提交",
        "rerun": "用 `scripts/check-upstream-configs` 可以全部重跑；示例文件本身不放在本书的仓库里。",
    },
    "en": {
        "title": "What checks of configurations rest on",
        "description": "How many rules there are for each tool, which releases the key tables were read from, and what was found in public examples.",
        "intro": "`fixbook check` and the [page that diagnoses](diagnose.md) check configurations with one program and one set of rules. Each rule has a configuration that fails and one that does not, and the suite has the real tool, or an entry's recipe, show that the first one does. The answer is never “good”, only that no known-bad combination was found.",
        "tables": "Rules and key tables {: #tables }",
        "tables_text": "A script reads the key tables out of the packages of each release; the suite compares them with the packages that it can install, so they cannot drift. What Python files import is checked likewise: another script reads which names later releases no longer have, and since which release there are the others.",
        "heads": "Tool|Rules|Key table read from|Names gone / names that came later",
        "range": "{count} releases, {first} to {last}",
        "upstream": "Examples of other projects {: #upstream }",
        "upstream_text": "The examples of other projects are known to run, so whatever is found in them is either right or a mistake of ours. Every finding below was looked at, and is right; `bench/upstream.yaml` says why. Each file is checked twice: for the release it was written for, and for the newest.",
        "upstream_heads": "Tool|Files|With findings|For the release written for|For the newest",
        "counts": "{error} errors / {warning} warnings / {note} notes",
        "sum": "{files} files of {repositories} repositories were read in all; of {findings} findings, {new} have not been looked at. Another {unread} files are no configurations (templates, lists of data, JSON with comments).",
        "repositories": "Read at these commits",
        "rerun": "`scripts/check-upstream-configs` runs all of this again; the files themselves are not part of the repository.",
    },
}


def write_pages(outcome: Outcome, listed: list[Repository], docs: Path) -> None:
    """Write the page in both languages."""
    for lang in LANGS:
        (docs / lang / "checking.md").write_text(page(outcome, listed, lang), "utf-8")


def page(outcome: Outcome, listed: list[Repository], lang: Lang) -> str:
    """Return the page as Markdown."""
    words = _WORDS[lang]
    read = [item for item in listed if item.name not in outcome.missing]
    total = {file for files in outcome.files.values() for file in files}
    total_text = words["sum"].format(
        files=len(total),
        repositories=len(read),
        findings=len(outcome.findings),
        new=len(outcome.new),
        unread=len(outcome.unreadable),
    )
    at = "\n".join(f"-   `{item.name}` `{item.commit}`" for item in read)
    parts = [
        f"---\ntitle: {words['title']}\ndescription: {words['description']}\n---",
        f"# {words['title']} {{: #top }}",
        words["intro"],
        f"## {words['tables']}",
        words["tables_text"],
        tools_table(lang),
        f"## {words['upstream']}",
        words["upstream_text"],
        _table(words["upstream_heads"], [_found(tool, outcome, words) for tool in sorted(TOOLS)]),
        total_text,
        f"{words['repositories']}{'：' if lang == 'zh' else ':'}",
        at,
        words["rerun"],
    ]
    return "\n\n".join(parts) + "\n"


def tools_table(lang: Lang) -> str:
    """Return the table of the rules of each tool, and of the releases that are known."""
    words = _WORDS[lang]
    tools = sorted({*TOOLS, *(schema.tool.name for schema in imports().values())})
    return _table(words["heads"], [_releases(tool, words) for tool in tools])


def update_tables(docs: Path) -> None:
    """Write that table anew in both languages; the rest of the page stays."""
    for lang in LANGS:
        path = docs / lang / "checking.md"
        table = tools_table(lang)
        head, rest = path.read_text("utf-8").split(table.partition("\n")[0], 1)
        path.write_text(head + table + _END + rest.partition(_END)[2], "utf-8")


def _table(heads: str, rows: list[list[str]]) -> str:
    titles = heads.split("|")
    lines = [f"| {' | '.join(titles)} |", "|---|" + "---:|" * (len(titles) - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _releases(tool: str, words: dict[str, str]) -> list[str]:
    versions, changed = EVERY[tool].versions, changed_names(tool)
    own = [
        row for row in rules().values() if any(name.split("/")[0] == tool for name in row["tools"])
    ]
    lost = sum(map(len, changed["gone"].values())) if changed else 0
    later = sum(len(n) for row in changed["since"].values() for n in row.values()) if changed else 0
    read = [versions, changed["releases"] if changed else []]
    spans = [
        words["range"].format(count=len(each), first=each[0], last=each[-1]) if each else "—"
        for each in read
    ]
    names = f"{lost:,} / {later:,} ({spans[1]})" if changed else "—"
    return [tool, str(len(own)), spans[0], names]


def _found(tool: str, outcome: Outcome, words: dict[str, str]) -> list[str]:
    rows = [row for row in outcome.findings if row.tool == tool]
    hit = {(row.repository, row.file) for row in rows}
    cells = [tool, str(len(outcome.files.get(tool, []))), str(len(hit))]
    for when in (WRITTEN, NEWEST):
        severities = [row.severity.get(when) for row in rows]
        counts = {name: severities.count(name) for name in ("error", "warning", "note")}
        cells.append(words["counts"].format(**counts))
    return cells


if __name__ == "__main__":
    update_tables(Path(__file__).parents[1] / "docs")
