"""An edit of a text, and why one cannot be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.text import Lang

_REASONS: dict[str, dict[Lang, str]] = {
    "inherited": {
        "zh": "`{key}` 来自文件别处的锚点、别名或变量",
        "en": "`{key}` comes from an anchor, an alias or a variable elsewhere in the file",
    },
    "anchor": {
        "zh": "`{key}` 带有锚点，文件别处可能引用这个键",
        "en": "`{key}` carries an anchor that other places in the file may refer to",
    },
    "absent": {
        "zh": "这里没有写 `{key}`",
        "en": "`{key}` is not written here",
    },
    "no-place": {
        "zh": "文件里没有可以安放 `{key}` 的地方",
        "en": "the file has no place for `{key}`",
    },
    "no-value": {
        "zh": "`{key}` 没有可以替换的单个值",
        "en": "`{key}` has no single value that could be replaced",
    },
    "last": {
        "zh": "删掉 `{key}` 之后，上一级就空了",
        "en": "without `{key}`, its parent would be empty",
    },
    "moves": {
        "zh": "`{key}` 要挪到别的层级：`{to}`",
        "en": "`{key}` would have to move to another level: `{to}`",
    },
    "taken": {
        "zh": "`{to}` 已经写了",
        "en": "`{to}` is written already",
    },
    "comment": {
        "zh": "会丢掉一条注释",
        "en": "a comment would be lost",
    },
    "others": {
        "zh": "`{key}` 也会跟着变",
        "en": "`{key}` would change as well",
    },
    "many": {
        "zh": "这个文件要改的地方太多；改掉前面的，再检查一次",
        "en": "the file has too much to fix at once; fix what comes before, and check it again",
    },
    "unread": {
        "zh": "改完的文件读不回来",
        "en": "the result could not be read again",
    },
}


class CannotMendError(Exception):
    """An edit cannot be made without a person.

    Attributes:
        kind: Name of the reason.
        reason: The reason, in both languages.
    """

    def __init__(self, kind: str, **values: str) -> None:
        self.kind = kind
        self.reason: dict[str, str] = {
            lang: text.format(**values) for lang, text in _REASONS[kind].items()
        }
        super().__init__(self.reason["en"])


class Edit(NamedTuple):
    """Replace ``text[start:end]``; offsets count characters."""

    start: int
    end: int
    new: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits, which do not overlap, carried out."""
    parts: list[str] = []
    position = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[position:start], new]
        position = end
    return "".join([*parts, text[position:]])
