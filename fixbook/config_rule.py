"""A rule on configurations, as it is written in entries and in ``fixbook/config/rules``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from fixbook.fields import Line, Range, Slug, Text

# The tests that `fixbook.config.predicate` knows.
_LEAVES = frozenset(
    {"set", "is", "in", "active", "matches", "over", "under", "holds_key", "differs", "indivisible"}
    | {"outside", "below"}
)


class ConfigRule(BaseModel):
    """A combination of settings that is known to fail, or to do nothing.

    Attributes:
        id: Its name, unique in the book.
        tools: Range of versions by tool; an empty range means every version.
        severity: ``error`` fails, ``warning`` does something else than it says,
            ``note`` is deprecated.
        at: The key it is reported at; of several, joined by ``|``, the first that is set.
        when: The condition, as data; ``fixbook.config.predicate`` says how it is read.
        renames: Old names and new ones, instead of a condition.
        message: What was found.
        why: What happens then.
        fix: Edits that mend it: ``set`` with ``value``, ``remove``, ``rename`` with ``to``;
            ``{at}`` stands for the key that it is reported at.
        beside: Another tool whose configuration the condition needs.
        proof: What shows that it is so: a step of the entry, or the tool's own refusal.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Slug
    tools: dict[Line, Range] = Field(min_length=1)
    severity: Literal["error", "warning", "note"]
    at: str = ""
    when: dict[str, Any] = {}
    renames: dict[Line, Line] = {}
    message: Text
    why: Text
    fix: list[dict[Literal["set", "value", "remove", "rename", "to"], Any]] = []
    beside: str = ""
    proof: Annotated[dict[str, Any], Field(min_length=1)]

    @field_validator("when")
    @classmethod
    def _is_a_condition(cls, condition: dict[str, Any]) -> dict[str, Any]:
        if condition:
            _check(condition)
        return condition

    @model_validator(mode="after")
    def _has_one_of_two(self) -> Self:
        if bool(self.when) is bool(self.renames):
            raise ValueError("needs either 'when' or 'renames'")
        if self.when and not self.at:
            raise ValueError("needs 'at', the key to report at")
        return self


def _check(condition: Any) -> None:
    if not isinstance(condition, dict):
        raise ValueError(f"{condition!r} is not a condition")  # noqa: TRY004  (pydantic wants it)
    match sorted(condition):
        case ["all"] | ["any"]:
            for part in next(iter(condition.values())):
                _check(part)
        case ["not"]:
            _check(condition["not"])
        case names if "key" in names and len(names) == 2 and set(names) - {"key"} <= _LEAVES:  # noqa: PLR2004
            return
        case names:
            raise ValueError(f"{names} is not a condition: all, any, not, or a key with one test")
