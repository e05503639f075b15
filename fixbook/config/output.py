"""How findings are printed: for people, as JSON, as SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fixbook import __version__
from fixbook.config.rules import rules
from fixbook.site_address import rule_address
from fixbook.text import printable

if TYPE_CHECKING:
    from fixbook.book import RuleRow
    from fixbook.config.check import Report
    from fixbook.config.errors import ConfigError
    from fixbook.config.finding import Finding
    from fixbook.config.setting import ConfigDocument
    from fixbook.text import Lang

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_WORDS = {
    "zh": {
        "error": "错误",
        "warning": "警告",
        "note": "提示",
        "entry": "条目",
        "mend": "改法",
        "why": "后果",
        "suggestion": "建议（可能改变训练，--fix 不写入）",
        "not_fixed": "不能自动修改",
    },
    "en": {
        "error": "error",
        "warning": "warning",
        "note": "note",
        "entry": "entry",
        "mend": "mend",
        "why": "why",
        "suggestion": "suggestion (may change the training; --fix does not write it)",
        "not_fixed": "cannot be fixed here",
    },
}
_NAME_IT: dict[Lang, str] = {"zh": "请用 --tool 指明", "en": "name it with --tool"}
_NAME_RELEASE: dict[Lang, str] = {
    "zh": "写明所用的版本（--tool TOOL@VERSION，或旁边的 requirements、锁文件），"
    "在这个版本上验证过的改法才会写入",
    "en": "what was proven on one release is written only where that is named: with "
    "--tool TOOL@VERSION, or in requirements or a lock beside the file",
}
_NAME_ON_PAGE: dict[Lang, str] = {
    "zh": "请在“配置所用的工具和版本”一栏写明",
    "en": "name the tool in the field beside “Check as a configuration”",
}
_BLIND = {
    "zh": "看不到的：命令行上的覆盖、运行时才算出的值、模型与数据本身、GPU 数量与显存、其他文件",
    "en": "what this cannot see: overrides on the command line, values computed at run time, "
    "the model and the data, number and memory of GPUs, other files",
}
_ASSUMED: dict[str, dict[Lang, str]] = {
    "installed": {"zh": "已安装的版本", "en": "as installed here"},
    "newest": {"zh": "没有写明版本，按已知的最新版本", "en": "the newest known, none is named"},
}
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(finding: Finding, lang: Lang, *, colour: bool) -> str:
    """Return one finding for a terminal, with its place."""
    place = finding.setting.key_place
    where = f"{finding.document.path}:{place.line}:{place.column}"
    return f"{printable(where)}: {finding_text(finding, lang, colour=colour)}"


def finding_text(finding: Finding, lang: Lang, *, colour: bool) -> str:
    """Return one finding for a terminal, without the place that it has in a file."""
    words = _WORDS[lang]
    label = words[finding.severity]
    if colour:
        import click  # noqa: PLC0415

        label = click.style(label, fg=_COLOURS[finding.severity], bold=True)
    said = printable(
        f"[{finding.rule}] {finding.message[lang]}\n    {words['why']}: {finding.why[lang]}"
    )
    lines = [f"{label} {said}"]
    if finding.entry:
        lines.append(f"    {words['entry']}: {finding.entry} (fixbook show {finding.entry})")
    if finding.mend:
        lines.append(printable(f"    {words['mend']}: {finding.mend[lang]}"))
    if finding.diff:
        shown = printable(finding.diff).split("\n")[2:]
        label = words["mend" if finding.applies == "safe" else finding.applies]
        lines += [f"    {label}:", *(f"      {line}" for line in shown)]
    if finding.not_fixed:
        lines.append(printable(f"    {words['not_fixed']}: {finding.not_fixed[lang]}"))
    return "\n".join(lines)


def summary(report: Report, lang: Lang, *, on_page: bool = False) -> list[str]:
    """Say what was applied and what it cannot see; never that a configuration is good.

    Args:
        report: What was found.
        lang: The language.
        on_page: Whether the reader has the page of the browser before them, and not a terminal.
    """
    lines = []
    for (tool, version), count in sorted(report.tools.items()):
        source = report.assumed.get((tool, version))
        is_copy = (tool, version) in report.copies
        named = f"{tool} {version}".strip() + _assumed(source, lang, is_copy=is_copy)
        bad = sum(finding.section.tool == tool for finding in report.findings)
        if lang == "zh":
            none = "没有发现已知会出错的组合" if count else "没有适用于这个版本的规则"
            head = f"{named}：发现 {bad} 处问题" if bad else f"{named}：{none}"
            lines.append(f"{head}（{count} 条规则；{_BLIND['zh']}）")
        else:
            none = "no known-bad combination found" if count else "no rule is about this release"
            head = f"{named}: {f'{bad} found' if bad else none}"
            lines.append(f"{head} ({count} rule{'s'[: count != 1]}; {_BLIND['en']})")
    name_it = _NAME_ON_PAGE if on_page else _NAME_IT
    listed = [unrecognised(document, lang, name_it) for document in report.unrecognised]
    return lines + [printable(line) for line in listed]


def _assumed(source: str | None, lang: Lang, *, is_copy: bool) -> str:
    """Say in parentheses what names a release that neither the user nor the file names."""
    if source is None:
        return ""
    if source in _ASSUMED:
        said = _ASSUMED[source][lang]
    elif is_copy:
        zh = f"仓库自带的副本，版本见 {source}；副本里可能多出来的键和取值不检查"
        en = f"the copy in this repository, see {source}; keys and names it may add are not judged"
        said = printable(zh if lang == "zh" else en)
    else:
        said = printable(f"由 {source} 固定" if lang == "zh" else f"as pinned in {source}")
    return f"（{said}）" if lang == "zh" else f" ({said})"


def unrecognised(document: ConfigDocument, lang: Lang, name_it: dict[Lang, str] = _NAME_IT) -> str:
    """Say that no known tool's settings were found in a file, and how to name the tool."""
    if lang == "zh":
        return f"{document.path}：没有认出任何已知工具的配置；{name_it['zh']}"
    return f"{document.path}: nothing that a known tool reads was found; {name_it['en']}"


def unwritten(report: Report, lang: Lang) -> list[str]:
    """Say how many suggestions ``--fix`` leaves to a person; nothing if there are none."""
    count = sum(bool(item.diff) and item.applies == "suggestion" for item in report.findings)
    if not count:
        return []
    if lang == "zh":
        lines = [f"有 {count} 条建议没有写入：这些建议可能改变训练，请自己决定"]
    else:
        what, they = ("suggestion", "it") if count == 1 else ("suggestions", "they")
        lines = [f"{count} {what} not written: {they} may change the training"]
    return lines + ([_NAME_RELEASE[lang]] if _is_release_open(report) else [])


def _is_release_open(report: Report) -> bool:
    """Tell whether a suggestion would be safe if somebody named the release."""
    return any(
        item.diff and item.applies == "suggestion" and item.section.schema.version is None
        for item in report.findings
    )


def as_json(report: Report, problems: list[ConfigError]) -> dict[str, Any]:
    """Return the whole report as plain data."""
    return {
        "schema_version": 1,
        "fixbook": __version__,
        "findings": [finding.as_json() for finding in report.findings],
        "applied": [
            {
                "tool": tool,
                "version": version,
                "rules": count,
                "assumed": report.assumed.get((tool, version)),
            }
            for (tool, version), count in sorted(report.tools.items())
        ],
        "unrecognised": [str(document.path) for document in report.unrecognised],
        "unreadable": [problem.as_json() for problem in problems],
        "limits": _BLIND,
    }


def as_sarif(report: Report, problems: list[ConfigError], lang: Lang) -> dict[str, Any]:
    """Return the report as SARIF 2.1.0; files that were not checked are told as notifications."""
    used = {finding.rule: finding for finding in report.findings}
    known = rules()
    descriptions = [
        {
            "id": name,
            "shortDescription": {
                "text": (known[name]["message"] if name in known else finding.message)[lang]
            },
            "help": {"text": finding.why[lang]},
            **({"helpUri": address} if (address := _address(name, known, lang)) else {}),
        }
        for name, finding in sorted(used.items())
    ]
    results = [_result(finding, lang) for finding in report.findings]
    driver = {"name": "fixbook", "version": __version__, "rules": descriptions}
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [_invocation(report, problems, lang)],
                "results": results,
            }
        ],
    }


def _invocation(report: Report, problems: list[ConfigError], lang: Lang) -> dict[str, Any]:
    said = [problem.as_text(lang) for problem in problems]
    said += [unrecognised(document, lang) for document in report.unrecognised]
    notes = [{"level": "error", "message": {"text": text}} for text in said]
    return {"executionSuccessful": not notes, "toolExecutionNotifications": notes}


def _address(name: str, rules: dict[str, RuleRow], lang: Lang) -> str:
    """The address of a rule's page, or of the part of the list that is about all tools."""
    address = rule_address(name if name in rules else "", lang)
    return address if name in rules or not address else f"{address.rstrip('/')}/#unknown-key"


def _result(finding: Finding, lang: Lang) -> dict[str, Any]:
    place = finding.setting.key_place
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endColumn": place.column + max(1, place.end - place.start),
    }
    artifact = {"uri": quote(finding.document.path.as_posix(), errors="surrogateescape")}
    return {
        "ruleId": finding.rule,
        "level": finding.severity,
        "message": {"text": f"{finding.message[lang]} {finding.why[lang]}"},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "properties": {
            "entry": finding.entry,
            "diff": finding.diff,
            "applies": finding.applies if finding.diff else None,
            "not_fixed": finding.not_fixed.get(lang),
        },
    }
