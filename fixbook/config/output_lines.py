"""Findings as lines: at most three each for people, one each for a job on GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.errors import ConfigError
    from fixbook.config.finding import Finding
    from fixbook.config.folder import Skipped
    from fixbook.text import Lang

_SEVERITIES: dict[Lang, dict[str, str]] = {
    "zh": {"error": "错误", "warning": "警告", "note": "提示"},
    "en": {"error": "error", "warning": "warning", "note": "note"},
}
_MEND: dict[Lang, str] = {"zh": "改法", "en": "mend"}
_SUGGESTION: dict[Lang, str] = {"zh": "建议", "en": "suggestion"}
_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
_MOST = 300  # characters of a line
_MOST_NAMED = 5  # files that cannot be read


def short(finding: Finding, lang: Lang) -> str:
    """Return a finding in at most three lines: what is wrong, how to mend it, who explains it."""
    place = finding.setting.key_place
    where = f"{finding.document.path}:{place.line}:{place.column}"
    severity = _SEVERITIES[lang][finding.severity]
    lines = [f"{where}: {severity} [{finding.rule}] {finding.message[lang]}"]
    if mend := _mend(finding, lang):
        lines.append(f"    {mend}")
    if finding.entry:
        lines.append(f"    fixbook show {finding.entry}")
    return "\n".join(_line(line) for line in lines)


def _mend(finding: Finding, lang: Lang) -> str:
    colon = "：" if lang == "zh" else ": "
    if finding.mend:
        return f"{_MEND[lang]}{colon}{finding.mend[lang]}"
    changed = [line for line in finding.diff.split("\n")[2:] if line[:1] in {"+", "-"}]
    if not changed:
        return ""
    label = _MEND if finding.applies == "safe" else _SUGGESTION
    return f"{label[lang]}{colon}{'  '.join(line.rstrip() for line in changed)}"


def _line(text: str) -> str:
    return _cut(printable(" ".join(text.splitlines())))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def github(finding: Finding, lang: Lang) -> str:
    """Return a finding as the command that has a runner show it beside the line of a change."""
    place = finding.setting.key_place
    where = f"file={_property(finding.document.path)},line={place.line},col={place.column}"
    level, title = _LEVELS[finding.severity], _property(finding.rule)
    return f"::{level} {where},title={title}::{_data(_cut(finding.message[lang]))}"


def github_problems(problems: list[ConfigError], lang: Lang) -> Iterator[str]:
    """Yield a command for each file that could not be checked."""
    for problem in problems:
        yield f"::error ::{_data(problem.as_text(lang))}"


def skipped(count: int, left: Skipped, lang: Lang) -> list[str]:
    """Say how many files of folders were checked and how many were not; nothing without folders."""
    if not (left.folders or left.others or left.unread):
        return []
    others, unread = left.others, len(left.unread)
    if lang == "zh":
        head = f"查了 {count} 个文件；跳过 {others} 个，不是已知工具的配置"
        tail = f"；{unread} 个读不了" if unread else ""
    else:
        head = f"{count} files checked; {others} skipped: no configurations of a known tool"
        tail = f"; {unread} cannot be read" if unread else ""
    named = [printable(f"    {item.where}: {item.what[lang]}") for item in left.unread]
    more = len(named) - _MOST_NAMED
    return [head + tail, *named[:_MOST_NAMED], *([f"    … (+{more})"] if more > 0 else [])]


def _data(text: object) -> str:
    """Escape what would end a command of the runner; other control characters are written out."""
    said = str(text).replace("\r\n", "\n")
    return "%0A".join(printable(line.replace("%", "%25")) for line in said.split("\n"))


def _property(text: object) -> str:
    """Escape what would end a property besides."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
