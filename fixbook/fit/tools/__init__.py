"""How each tool's configuration is read as a plan, and how a change is written in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.setting import UNKNOWN
from fixbook.fit.reading import CannotTellError, Settings
from fixbook.fit.tools import axolotl, llamafactory, trainer
from fixbook.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fixbook.config.setting import ConfigDocument
    from fixbook.fit.reading import Reading

_READERS = {
    "transformers": trainer.read,
    "trl": trainer.read_trl,
    "llamafactory": llamafactory.read,
    "axolotl": axolotl.read,
}
LINES: dict[str, Mapping[str, Mapping[str, Any]]] = {
    "transformers": trainer.LINES,
    "trl": trainer.LINES,
    "llamafactory": llamafactory.LINES,
    "axolotl": axolotl.LINES,
}
BATCH = {
    "transformers": trainer.BATCH,
    "trl": trainer.BATCH,
    "llamafactory": trainer.BATCH,
    "axolotl": axolotl.BATCH,
}
LENGTH = {"trl": "max_length", "llamafactory": "cutoff_len", "axolotl": "sequence_len"}


def read(document: ConfigDocument, length: int | None = None) -> Reading:
    """Read what a document says of a training step.

    Args:
        document: A configuration.
        length: Tokens of the longest sequence, where the reader says it.

    Raises:
        CannotTellError: It is for no tool that is read here, or sets what is not predicted.
    """
    own = [one for one in document.sections if one.tool in _READERS and not one.schema.stands_alone]
    if not own:
        raise CannotTellError(
            say("it is not recognised as a configuration of a trainer"),
            say("name one of {tools} with --tool", tools=", ".join(_READERS)),
        )
    values = {key: setting.value for section in own for key, setting in section.settings.items()}
    settings = Settings(values, length=length)
    settings.notes += [
        say("{key} is known only when the file is run; its default was taken", key=key)
        for key, value in values.items()
        if value is UNKNOWN
    ]
    section = next((one for one in own if one.tool != "transformers"), own[0])
    return _READERS[section.tool](settings, section.schema.release)
