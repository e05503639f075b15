"""Types that the fields of entries, symptoms and rules share."""

from __future__ import annotations

import re
from typing import Annotated

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from fixbook.condition import Condition
from fixbook.i18n import _
from fixbook.languages import Lang  # noqa: TC001  (pydantic resolves annotations)

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _slug(text: str) -> str:
    if not SLUG.fullmatch(text):
        raise ValueError(
            _("must be lower-case words joined by single dashes, such as 'raise-limit'")
        )
    return text


def _specifier(text: str) -> str:
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        raise ValueError(_("must be a PEP 440 range, such as '>=4.43,<4.46'")) from None
    return text


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(_("is not a regular expression: {reason}").format(reason=error)) from None
    return text


def _condition(text: str) -> str:
    return str(Condition.parse(text))


Slug = Annotated[str, AfterValidator(_slug)]
Range = Annotated[str, AfterValidator(_specifier)]
Pattern = Annotated[str, AfterValidator(_pattern)]
ConditionText = Annotated[str, AfterValidator(_condition)]
Line = Annotated[str, Field(min_length=1, pattern=r"\S")]


class Text(BaseModel):
    """A text in both languages, each written for its readers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    zh: Line
    en: Line

    def of(self, lang: Lang) -> str:
        """Return the text of one language."""
        return self.zh if lang == "zh" else self.en
