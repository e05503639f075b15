"""ms-swift: options of ``swift sft``, ``pt`` and ``rlhf``, on top of the Trainer's arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Schema, Tool, words
from fixbook.config.tools.transformers import SEQ2SEQ
from fixbook.config.tools.transformers import TOOL as TRANSFORMERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from fixbook.config.tool import Keys

TRAIN, RLHF = "ms-swift", "rlhf"
_CLASSES = {TRAIN: ("SftArguments", "TrainArguments"), RLHF: ("RLHFArguments",)}
_COMMANDS = {"sft": TRAIN, "pt": TRAIN, "rlhf": RLHF}
_PROGRAM = re.compile(r"(?:^|[/.])swift[/.]cli[/.](sft|pt|rlhf)(?:\.py)?$")
_SOURCES = (
    *("swift/arguments/", "swift/llm/argument/", "swift/trainers/", "swift/rlhf_trainers/"),
    *("swift/ray/", "swift/ray_utils/", "swift/rl_core/"),
)
# A file of its has one of these beside the model, and hardly a key that its options lack.
TUNERS = words("tuner_type train_type")
ENVIRONMENT = "ENV"  # variables that a file sets, which are no options
_RLHF_TYPE = "rlhf_type"
_STRANGE = 10  # of so many keys one may be unknown: a slip


def schema_of_file(names: AbstractSet[str], *, asked_for: bool = False) -> str:
    """Return the key table of a file that ``swift sft FILE`` reads; empty if it is none."""
    name = RLHF if _RLHF_TYPE in names else TRAIN
    if asked_for:
        return name
    if not (names & TUNERS or _RLHF_TYPE in names) or "model" not in names:
        return ""
    known = Schema(TOOL, name).keys
    strange = names - set(known) - {ENVIRONMENT}
    return name if len(strange) <= len(names) // _STRANGE else ""


def options_begin(texts: Sequence[str]) -> tuple[int, str] | None:
    """Return where the options of a training begin in a command, and its key table."""
    if texts[0].rsplit("/", 1)[-1] == "swift" and texts[1:2] and texts[1] in _COMMANDS:
        return 2, _COMMANDS[texts[1]]
    for index, text in enumerate(texts):
        if found := _PROGRAM.search(text):
            return index + 1, _COMMANDS[found[1]]
    return None


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within

    classes = Classes(within(files, *_SOURCES))
    return {
        schema: {"extends:transformers": Shape({"any"})} | classes.keys(name)
        for schema, names in _CLASSES.items()
        for name in names
        if classes.fields(name)
    }


TOOL = Tool(
    "ms-swift",
    "ms-swift",
    base=Schema(TRANSFORMERS, SEQ2SEQ),
    command=_PROGRAM,
    extract=_extract,
)
