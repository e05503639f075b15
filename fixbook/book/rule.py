"""A rule on configurations, as authors write it: in ``rules/<id>/`` or in an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, cast

from pydantic import (
    BaseModel,
    Field,
    SerializerFunctionWrapHandler,
    StrictBool,
    model_serializer,
    model_validator,
)

from fixbook.book.fields import Line, Number, Pattern, Range, Scalar, Slug, Text
from fixbook.book.strict import STRICT
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.book.rule_row import RuleRow

# Who is asked whether a rule is right; the suite knows how.
Prover = Literal[
    "accelerate-deepspeed",
    "accelerate-launch",
    "accelerate-plugin",
    "attribute",
    "axolotl",
    "axolotl-loader",
    "axolotl-precision",
    "axolotl-split",
    "bitsandbytes",
    "compile",
    "ddp",
    "deepspeed",
    "deepspeed-engine",
    "llamafactory-arguments",
    "llamafactory-export",
    "llamafactory-model",
    "llamafactory-packing",
    "llamafactory-training",
    "lora",
    "machine",
    "ms-swift",
    "openrlhf",
    "optimizer",
    "precision",
    "reporting",
    "step",
    "trainer-with-deepspeed",
    "transformers",
    "trl-arguments",
    "trl-training",
    "trl-vllm",
    "verl-advantage",
    "verl-kl",
    "verl-rollout",
    "verl-settings",
]


class _Model(BaseModel):
    model_config = STRICT


class _AsWritten(_Model):
    """A model that is dumped as it was written, so that what is left out stays out."""

    @model_serializer(mode="wrap")
    def _dumped(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values = dump(self)
        names = {
            name: field.alias or name
            for name, field in type(self).model_fields.items()
            if name in self.model_fields_set
        }
        return {alias: values[name if name in values else alias] for name, alias in names.items()}


class Condition(_AsWritten):
    """What has to be so for a rule to apply: ``all``, ``any`` or ``not``, or a test of one key.

    `fixbook.config.predicate` says how each test is read.

    Attributes:
        all: Conditions that all hold.
        any: Conditions of which one holds.
        not_: A condition that does not hold.
        key: A dotted key, ``tool:key`` of the file beside it, or a product ``a*b``.
        set: Whether the key has a value.
        is_: The value.
        in_: Values of which it is one.
        active: Whether it is on: true, a number, a text but ``false`` and the like.
        matches: A pattern that the value, or an item of it, contains.
        over: A number below it.
        under: A number above it.
        holds_key: A pattern that a key below it contains.
        differs: A key that is set to another value.
        below: A key whose number is greater.
        indivisible: Keys whose product does not divide it.
        outside: Lists that it is in none of: ``tool/schema/key``, or a value itself.
        strays: All keys that may stand below it; another one does.
        within: A range of versions (PEP 440) that it is in.
    """

    all: list[Condition] = Field(default=[], min_length=1)
    any: list[Condition] = Field(default=[], min_length=1)
    not_: Condition | None = Field(default=None, alias="not")
    key: Line = ""
    set: StrictBool = True
    is_: Scalar = Field(default="", alias="is")
    in_: list[Scalar] = Field(default=[], alias="in", min_length=1)
    active: StrictBool = True
    matches: Pattern = ""
    over: Number = 0
    under: Number = 0
    holds_key: Pattern = ""
    differs: Line = ""
    below: Line = ""
    indivisible: list[Line] = Field(default=[], min_length=1)
    outside: list[Line] = Field(default=[], min_length=1)
    strays: list[Line] = Field(default=[], min_length=1)
    within: Range = ""

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        written = self.model_fields_set - {"key"}
        groups = written & {"all", "any", "not_"}
        if len(written) != 1 or bool(groups) is ("key" in self.model_fields_set):
            raise ValueError(_("write one of all, any and not, or a key with one test"))
        if "not_" in groups and self.not_ is None:
            raise ValueError(_("'not' needs a condition"))
        return self


class Edit(_AsWritten):
    """One edit that mends a configuration; ``{at}`` stands for the key it is reported at.

    Attributes:
        set: A key to set, with ``value``.
        value: The value.
        remove: A key to remove.
        rename: A key to rename, with ``to``.
        to: The new name.
    """

    set: Line = ""
    value: Any = None
    remove: Line = ""
    rename: Line = ""
    to: Line = ""

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        if self.model_fields_set not in ({"set", "value"}, {"remove"}, {"rename", "to"}):
            raise ValueError(_("write set with value, or remove, or rename with to"))
        return self


class Proof(_AsWritten):
    """What shows that a rule is right, on its two fixtures.

    Attributes:
        by: Who is asked.
        says: Part of the error that the failing fixture gets, and the passing one does not.
        warns: The same of a warning.
        drops: The key that is gone once the tool has read the failing fixture.
        unset: The variable that processes do not see.
        key: An attribute of what the tool makes of the fixture, with ``is``.
        is_: Its value.
        step: The step of the entry that shows the failure.
    """

    by: Prover
    says: Line = ""
    warns: Line = ""
    drops: Line = ""
    unset: Line = ""
    key: Line = ""
    is_: Line = Field(default="", alias="is")
    step: Slug | None = None

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not (self.says or self.warns or self.drops or self.unset or self.is_ or self.step):
            raise ValueError(
                _("needs what is seen: says, warns, drops, unset, key with is, or step")
            )
        if bool(self.key) is not bool(self.is_):
            raise ValueError(_("'key' and 'is' belong together"))
        if (self.by == "step") > bool(self.step):
            raise ValueError(_("needs 'step', the step of the entry that shows it"))
        return self


class Rule(_Model):
    """A combination of settings that is known to fail, or to do nothing.

    Attributes:
        id: Its name, unique in the book: that of its folder where it has one.
        tools: Range of versions by tool, or by tool and schema (``trl/GRPOConfig``); an empty
            range means every version. ``transformers/imports`` is one name that a Python file
            imports; its only key is ``import``.
        severity: ``error`` fails, ``warning`` does something else than it says,
            ``note`` is deprecated.
        at: The key it is reported at; of several, joined by ``|``, the first that is set. With
            ``.*`` it is the first key below that `strays` does not list.
        when: The condition.
        renames: Old names and new ones, instead of a condition; an empty new one where a person
            has to say what becomes of it.
        message: What was found.
        why: What happens then.
        fix: Edits that mend it, in order; none where a person has to decide.
        applies: ``safe`` if the file, once it is mended, does what it says already; a
            ``suggestion`` changes what is trained, and is shown but never written.
        mend: What to do, where no edit of a file can mend it.
        beside: Another tool whose configuration the condition needs.
        entry: Slug of the entry that explains it; a rule that stands in an entry has it from there.
        proof: What shows that it is so.
    """

    id: Slug
    tools: dict[Line, Range] = Field(min_length=1)
    severity: Literal["error", "warning", "note"]
    at: str = ""
    when: Condition | None = None
    renames: dict[Line, Line | Literal[""]] = {}
    message: Text
    why: Text
    fix: list[Edit] = []
    applies: Literal["safe", "suggestion"] = "suggestion"
    mend: Text | None = None
    beside: str = ""
    entry: Slug | None = None
    proof: Proof

    @model_validator(mode="after")
    def _has_one_of_two(self) -> Self:
        if (self.when is None) is not bool(self.renames):
            raise ValueError(_("needs either 'when' or 'renames'"))
        if self.when and not self.at.strip("| "):
            raise ValueError(_("needs 'at', the key to report at"))
        if self.fix and "applies" not in self.model_fields_set:
            raise ValueError(
                _("a fix needs 'applies': safe, or suggestion if it changes a training")
            )
        return self

    def row(self, entry: str | None = None) -> RuleRow:
        """Return plain data, as the compiled index holds it.

        Args:
            entry: Slug of the entry that the rule belongs to.
        """
        row = self.model_dump(mode="json")
        return cast("RuleRow", {**row, "when": row["when"] or {}, "entry": entry})
