r"""Write a pattern of the book in the dialect of JavaScript, with the same meaning.

Both sides take ``\d``, ``\w``, ``\s`` and ``\b`` for ASCII. The result is compiled with the
flag ``u``, so that both count in code points. What RE2 does not allow is not translated either.
"""

from __future__ import annotations

import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_SPACE = r" \t\n\r\f\v"
_INSIDE = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
    op.CATEGORY_SPACE: _SPACE,
}
_ATOMS = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
_AT = {
    op.AT_BEGINNING: "^",
    op.AT_BEGINNING_STRING: "^",
    op.AT_BOUNDARY: r"\b",
    op.AT_NON_BOUNDARY: r"\B",
    op.AT_END: r"(?=\n?$)",
    op.AT_END_STRING: "$",
}


class UntranslatableError(ValueError):
    """The pattern uses what JavaScript or RE2 lacks."""


def javascript_of(pattern: str) -> str:
    """Return a pattern of the book for ``new RegExp(…, "u")``.

    Raises:
        UntranslatableError: It uses a construct that the book does not allow.
    """
    return _written(pattern, 0, around=False)


def javascript_of_own(pattern: re.Pattern[str] | re.Pattern[bytes]) -> str:
    """Return a pattern of our own code for ``new RegExp(…, "u")``; it may look around and back.

    Raises:
        UntranslatableError: It uses a construct that JavaScript lacks.
    """
    text = pattern.pattern
    flags = pattern.flags & (re.VERBOSE | re.IGNORECASE)
    return _written(text if isinstance(text, str) else text.decode("latin-1"), flags)


def _written(pattern: str, flags: int, *, around: bool = True) -> str:
    parsed = _parser.parse(pattern, re.ASCII | flags)
    names = {number: name for name, number in parsed.state.groupdict.items()}
    writer = _Writer(names, around=around)
    return writer.sequence(parsed, folded=bool(parsed.state.flags & re.IGNORECASE))


class _Writer:
    def __init__(self, names: dict[int, str], *, around: bool) -> None:
        self._names = names
        self._around = around

    def sequence(self, tree: Any, *, folded: bool) -> str:
        return "".join(self._one(code, value, folded=folded) for code, value in tree)

    def _one(self, code: Any, value: Any, *, folded: bool) -> str:  # noqa: PLR0911
        if code is op.LITERAL:
            return _either(value) if folded and _is_letter(value) else _escaped(value)
        if code is op.NOT_LITERAL:
            return f"[^{_members([(op.LITERAL, value)], folded=folded)}]"
        if code is op.ANY:
            return r"[^\n]"
        if code is op.AT and value in _AT:
            return _AT[value]
        if code is op.IN:
            return _class(value, folded=folded)
        if code is op.SUBPATTERN:
            number, added, removed, tree = value
            inner = (folded or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
            name = f"?<{self._names[number]}>" if number in self._names else ""
            return f"({name if number else '?:'}{self.sequence(tree, folded=inner)})"
        if code in {op.MAX_REPEAT, op.MIN_REPEAT}:
            low, high, tree = value
            repeated = self.sequence(tree, folded=folded)
            if len(tree) > 1 or tree[0][0] not in _ATOMS:
                repeated = f"(?:{repeated})"
            return repeated + _times(low, high) + ("?" if code is op.MIN_REPEAT else "")
        return self._choice(code, value, folded=folded)

    def _choice(self, code: Any, value: Any, *, folded: bool) -> str:
        if code is op.BRANCH:
            branches = (self.sequence(branch, folded=folded) for branch in value[1])
            return f"(?:{'|'.join(branches)})"
        if code in {op.ASSERT, op.ASSERT_NOT} and self._around:
            side = "" if value[0] > 0 else "<"
            mark = "=" if code is op.ASSERT else "!"
            return f"(?{side}{mark}{self.sequence(value[1], folded=folded)})"
        if code is op.GROUPREF and self._around:
            return rf"(?:\{value})"
        raise UntranslatableError(f"{code} has no equal in JavaScript and RE2")


def _times(low: int, high: Any) -> str:
    most = None if high is op.MAXREPEAT else high
    short = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, most))
    return short or (f"{{{low}}}" if low == most else f"{{{low},{'' if most is None else most}}}")


def _class(items: list[Any], *, folded: bool) -> str:
    negated = items[0][0] is op.NEGATE
    members = items[1:] if negated else items
    others = [v for c, v in members if c is op.CATEGORY and v is op.CATEGORY_NOT_SPACE]
    if others:  # JavaScript has no name for it inside a class
        if negated or len(members) > 1:
            raise UntranslatableError(r"\S inside a class; write the class without it")
        return f"[^{_SPACE}]"
    inside = _members(members, folded=folded)
    if len(members) == 1 and inside in _INSIDE.values() and inside != _SPACE and not negated:
        return inside
    return f"[{'^' if negated else ''}{inside}]"


def _members(items: list[Any], *, folded: bool) -> str:
    out = []
    for code, value in items:
        if code is op.LITERAL:
            both = {value, ord(chr(value).swapcase())} if folded and _is_letter(value) else {value}
            out += [_escaped(one) for one in sorted(both)]
        elif code is op.RANGE:
            low, high = value
            out.append(f"{_escaped(low)}-{_escaped(high)}")
            if folded:
                out += [_escaped(o) for c in _letters(low, high) for o in [ord(c.swapcase())]]
        elif code is op.CATEGORY and value in _INSIDE:
            out.append(_INSIDE[value])
        else:
            raise UntranslatableError(f"{code} {value} inside a class")
    return "".join(out)


def _letters(low: int, high: int) -> list[str]:
    return [chr(c) for c in range(low, min(high, 0x7F) + 1) if _is_letter(c)]


def _is_letter(code: int) -> bool:
    return chr(code).isascii() and chr(code).isalpha()


def _either(code: int) -> str:
    return f"[{chr(code)}{chr(code).swapcase()}]"


def _escaped(code: int) -> str:
    sign = chr(code)
    if sign.isalnum() and sign.isascii():
        return sign
    if sign in "_ !\"#%&',:;<=>@`~":
        return sign
    if sign in r"^$\.*+?()[]{}|/-":
        return "\\" + sign if sign != "-" else r"\x2d"
    return f"\\u{{{code:x}}}" if not sign.isprintable() or not sign.isascii() else sign
