"""How each tool's configuration is read as a plan, and how a change is written in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.setting import UNKNOWN
from fixbook.config.tools.ms_swift import RLHF
from fixbook.fit.reading import CannotTellError, Settings
from fixbook.fit.tools import axolotl, llamafactory, ms_swift, trainer
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
    "ms-swift": ms_swift.read,
}
LINES: dict[str, Mapping[str, Mapping[str, Any]]] = {
    "transformers": trainer.LINES,
    "trl": trainer.LINES,
    "llamafactory": llamafactory.LINES,
    "axolotl": axolotl.LINES,
    "ms-swift": ms_swift.LINES,
}
BATCH = {
    "transformers": trainer.BATCH,
    "trl": trainer.BATCH,
    "llamafactory": trainer.BATCH,
    "axolotl": axolotl.BATCH,
    "ms-swift": trainer.BATCH,
}
_PROCESSES = ("nproc_per_node", "num_processes")
_VARIABLE = re.compile(r"(?m)^\s*(?:export )?(?:\w+=\S* +)*NPROC_PER_NODE[=:] *([0-9]{1,4})\b")
LENGTH = {
    "trl": "max_length",
    "llamafactory": "cutoff_len",
    "axolotl": "sequence_len",
    "ms-swift": "max_length",
}


def lines(reading: Reading, name: str) -> dict[str, Any]:
    """Return the settings that make a change, as the release calls them; empty for none."""
    called = ms_swift.line_names(reading.release) if reading.tool == "ms-swift" else {}
    made = LINES[reading.tool].get(name, {})
    return {called.get(key, key): value for key, value in made.items()}


def _processes(document: ConfigDocument) -> int:
    """Return how many processes a command starts on a machine: by its launcher, or a variable."""
    said = [
        section.settings[key].value
        for section in document.sections
        for key in _PROCESSES
        if section.schema.stands_alone and key in section.settings
    ]
    said += [int(number) for number in _VARIABLE.findall(document.text)]
    return max((one for one in said if type(one) is int), default=1)


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
    notes = []
    if document.kind == "shell" and len(own) > 1:  # each command starts a training of its own
        own = [next((one for one in own if one.tool != "transformers"), own[0])]
        notes.append(say("it starts several trainings; the first of them was predicted"))
    values = {key: setting.value for section in own for key, setting in section.settings.items()}
    settings = Settings(values, notes=notes, length=length, processes=_processes(document))
    if settings.processes > 1:
        notes.append(
            say(
                "it starts {count} processes: what each card holds for the others is not counted",
                count=settings.processes,
            )
        )
    settings.notes += [
        say("{key} is known only when the file is run; its default was taken", key=key)
        for key, value in values.items()
        if value is UNKNOWN
    ]
    section = next((one for one in own if one.tool != "transformers"), own[0])
    if section.schema.name == RLHF:
        raise CannotTellError(say("swift rlhf: only supervised fine-tuning is predicted so far"))
    return _READERS[section.tool](settings, section.schema.release)
