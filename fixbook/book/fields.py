"""Types that the fields of entries, symptoms and rules share."""

from __future__ import annotations

import math
import re
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from fixbook.book.condition import Expectation
from fixbook.book.strict import STRICT
from fixbook.text import (
    Lang,
    _,
    join_lines,
)
from fixbook.versions import is_version

_MOST_NAME = 120  # file systems take 255 bytes, and some names get an ending
_MOST_PATH = 1000
_MARKUP = re.compile(r"""[<>&"'`{}()\[\]|*#?%]""")
_FENCE = re.compile(r"\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+)*(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
CONFIGURATIONS = (".yaml", ".yml", ".json", ".sh", ".py", ".toml")
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _slug(text: str) -> str:
    if not SLUG.fullmatch(text):
        raise ValueError(
            _("must be lower-case words joined by single dashes, such as 'raise-limit'")
        )
    if len(text) > _MOST_NAME:
        raise ValueError(_("must not be longer than {most} characters").format(most=_MOST_NAME))
    return text


def _file(text: str) -> str:
    parts = text.split("/")
    marked = _MARKUP.search(text)
    wrong = {"", ".", ".."}.intersection(parts) or "\\" in text or not text.isprintable()
    if (
        wrong
        or marked
        or any(len(part.encode()) > _MOST_NAME for part in parts)
        or len(text) > _MOST_PATH
    ):
        raise ValueError(_("must name a file below the entry's folder, such as 'logs/report.txt'"))
    return text


def _configuration(text: str) -> str:
    if PurePosixPath(text).suffix not in CONFIGURATIONS:  # the site offers it as it is
        names = ", ".join(CONFIGURATIONS)
        raise ValueError(_("must be a configuration: {names}").format(names=names))
    return text


def _specifier(text: str) -> str:
    # Slow to import, and few entries have a range.
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415

    try:
        arbitrary = any(bound.operator == "===" for bound in SpecifierSet(text))
    except InvalidSpecifier:
        arbitrary = True
    if arbitrary:  # '===' compares texts: nothing says what lies before and after it
        raise ValueError(_("must be a PEP 440 range, such as '>=4.43,<4.46'"))
    return text


def _release(text: str) -> str:
    if not is_version(text):
        raise ValueError(_("must be a release, such as '4.46.3'"))
    return text


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(_("is not a regular expression: {reason}").format(reason=error)) from None
    return text


def _condition(text: str) -> str:
    return str(Expectation.parse(text))


Slug = Annotated[str, AfterValidator(_slug)]
Range = Annotated[str, AfterValidator(_specifier)]
Release = Annotated[str, AfterValidator(_release)]
Pattern = Annotated[str, AfterValidator(_pattern)]
File = Annotated[str, AfterValidator(_file)]
ConfigFile = Annotated[File, AfterValidator(_configuration)]
# Lengths stand apart from patterns: a counted \w takes pydantic thirty milliseconds to compile.
Name = Annotated[str, Field(max_length=80, pattern=r"^\w[\w .+/@-]*$")]
ConditionText = Annotated[str, AfterValidator(_condition)]
Group = Annotated[str, Field(max_length=40, pattern=r"^[a-z]\w*$")]
Line = Annotated[str, Field(min_length=1, pattern=r"\S")]


_MOST_DIGITS = 300  # a float holds no more


def _number(value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if (whole and abs(value) < 10**_MOST_DIGITS) or (
        isinstance(value, float) and math.isfinite(value)
    ):
        return value
    raise ValueError(_("must be a number"))


def _scalar(value: Any) -> Any:
    if isinstance(value, bool | str):
        return value
    try:
        return _number(value)
    except ValueError:
        raise ValueError(_("must be true, false, a number or a text")) from None


# One check each: a union of types would report one mistake once for each of them.
Scalar = Annotated[
    Any, AfterValidator(_scalar), WithJsonSchema({"type": ["boolean", "number", "string"]})
]
Number = Annotated[Any, AfterValidator(_number), WithJsonSchema({"type": "number"})]


def _closed(text: str) -> str:
    """Refuse a block of code that nothing ends: the rest of the page would be code."""
    opened, at = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        fence = _FENCE.fullmatch(line)
        if fence and not opened:
            opened, at = fence["mark"], number
        elif fence and fence["mark"].startswith(opened) and not fence["info"].strip():
            opened = ""
    if opened:
        what = _(
            "end the block of code that line {line} of the text opens: a line with {mark} alone"
        )
        raise ValueError(what.format(line=at, mark=opened))
    return text


# Read with its lines joined: where they are broken is for those who write it.
Prose = Annotated[Line, AfterValidator(join_lines), AfterValidator(_closed)]


class Text(BaseModel):
    """A text in both languages, each written for its readers."""

    model_config = STRICT

    zh: Prose
    en: Prose

    def of(self, lang: Lang) -> str:
        """Return the text of one language."""
        return self.zh if lang == "zh" else self.en
