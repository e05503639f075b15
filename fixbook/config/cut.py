"""Options that stand behind the end of the command they are meant for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section

_WHY = {
    "zh": "空行、注释行，或者反斜杠后面多出的空格，都会让命令在那里结束：训练照样启动，"
    "但拿不到后面的参数；shell 随后把这个参数当成命令去执行，报 command not found。",
    "en": "A blank line, a line of comment, or a space behind the backslash ends a command: the "
    "run starts without the options that follow, and the shell then looks for a command of "
    "that name (“command not found”).",
}
_MEND = {
    "zh": "把命令中间的空行和注释移走；续行的反斜杠必须是一行的最后一个字符",
    "en": "take blank lines and comments out of the command; its backslashes have to be the last "
    "character of their lines",
}


def cut_off(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report the first option that a command no longer reaches."""
    if section.cut is None:
        return
    key = section.cut.key
    message = {
        "zh": f"命令在 `{key}` 之前就结束了，从这里起的参数都没有传给命令",
        "en": f"the command has ended before `{key}`; from there on, no option reaches it",
    }
    yield Finding(
        *(document, section, section.cut, "error", "cut-command", message, _WHY), mend=_MEND
    )
