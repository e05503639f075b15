"""What a configuration says of a training step, with what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fixbook.config.setting import UNKNOWN
from fixbook.text import Sentence, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.fit.plan import Optimizer

MOST = 2**31  # of tokens, sequences and ranks: more is a slip
_TRUE = {"true", "yes", "on", "1", "full", "auto"}


class CannotTellError(Exception):
    """Why there is no prediction.

    Attributes:
        why: The reason.
        mend: What to do about it; empty if nothing helps.
    """

    def __init__(self, why: Sentence, mend: Sentence | None = None) -> None:
        self.why, self.mend = why, mend
        super().__init__(str(why))


@dataclass(slots=True)
class Settings:
    """The settings of one run, and which of them were asked for.

    Attributes:
        values: By their dotted key.
        assumed: What was taken where nothing is said, by key.
        notes: What else was assumed.
        length: Tokens of the longest sequence, where the reader says it.
        processes: How many are started on a machine, as far as that is said.
    """

    values: Mapping[str, Any]
    assumed: dict[str, Any] = field(default_factory=dict)
    notes: list[Sentence] = field(default_factory=list)
    length: int | None = None
    processes: int = 1

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting; a default that was taken is an assumption."""
        value = self.values.get(key)
        if value is None or value is UNKNOWN:
            if default is not None:
                self.assumed[key] = default
            return default
        return value

    def has(self, *keys: str) -> str:
        """Return the first of some keys that is set to something that counts, or nothing."""
        return next((key for key in keys if self._counts(self.values.get(key))), "")

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a switch. Written as text, it counts as tools read it."""
        value = self.values.get(key)
        if value is None or value is UNKNOWN:
            if default:
                self.assumed[key] = True
            return default
        return str(value).lower() in _TRUE

    def number(self, key: str, default: int) -> int:
        """Return a count.

        Raises:
            CannotTellError: It is none, or too large to be meant.
        """
        value = self.get(key, default)
        try:
            count = int(str(value))
        except ValueError:
            count = 0
        if not 0 < count < MOST:
            raise CannotTellError(
                say(
                    "{key} is {value}: a whole number above 0 was expected",
                    key=key,
                    value=_short(value),
                )
            )
        return count

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of names, however it is written."""
        value = self.values.get(key)
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        return tuple(str(one) for one in value) if isinstance(value, list) else ()

    @staticmethod
    def _counts(value: Any) -> bool:
        return value not in (None, False, "", 0, [], {}) and str(value).lower() not in {
            "false",
            "none",
        }


@dataclass(slots=True)
class Reading:
    """What a tool's configuration comes to.

    Attributes:
        tool: The tool's distribution name.
        release: Its release that was assumed.
        model: What it calls the model: a name, or a folder.
        plan: Fields of a `Plan`, all but the model itself.
        settings: Where they come from.
    """

    tool: str
    release: str
    model: str
    plan: dict[str, Any]
    settings: Settings


_OPTIMIZERS: dict[str, Optimizer] = {
    "adamw_torch": "adamw",
    "adamw_hf": "adamw",
    "adamw_torch_fused": "adamw-fused",
    "adamw_8bit": "adamw-8bit",
    "adamw_bnb_8bit": "adamw-8bit",
    "paged_adamw": "adamw-paged",
    "paged_adamw_32bit": "adamw-paged",
    "paged_adamw_8bit": "adamw-8bit-paged",
    "sgd": "sgd",
}


def optimizer(settings: Settings, key: str, default: str = "adamw_torch_fused") -> Optimizer:
    """Return the optimizer that a key names as the Trainer calls them.

    Raises:
        CannotTellError: It is not one that is counted here.
    """
    name = str(settings.get(key, default)).removeprefix("OptimizerNames.").lower()
    if name not in _OPTIMIZERS:
        raise CannotTellError(
            say("the memory of the optimizer {name} is not known here", name=_short(name)),
            say("known are {names}", names=", ".join(_OPTIMIZERS)),
        )
    return _OPTIMIZERS[name]


def precision(value: Any, model: str = "bfloat16") -> Any:
    """Return the precision that a word means; ``auto`` is that of the model's configuration.

    Raises:
        CannotTellError: It is none.
    """
    word = str(value).removeprefix("torch.").lower()
    known = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "half": "float16"}
    word = known.get(word, word)
    if word in {"auto", "none"}:
        return model
    if word not in {"float32", "bfloat16", "float16"}:
        raise CannotTellError(
            say("{value} is no precision that is known here", value=_short(value))
        )
    return word


def refuse(settings: Settings, *keys: str) -> None:
    """End where one of some settings is in force, whose memory is not predicted.

    Raises:
        CannotTellError: One is.
    """
    key = settings.has(*keys)
    if key:
        raise CannotTellError(
            say("{key} is set, and what it does to memory is not predicted", key=key),
            say("take {key} out for a prediction of one card without it", key=key),
        )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


_MOST_SHOWN = 60
