"""torchrun: the options of torch's launcher, before the script, and what it reads in their texts.

Its table is made of its own parser, which a test asks again: `data/torch.json`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.tool import LAUNCH, Schema, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

BACKENDS = ("static", "c10d", "etcd", "etcd-v2")  # a package may register others
DEVICES = ("auto", "cpu", "gpu", "xpu")  # as the number of processes
OTHER_DEVICES = {"npu", "mlu", "musa", "hpu", "gcu", "sdaa", "maca"}  # of backends beside torch
_MODULES = {"torch.distributed.run", "torch.distributed.launch"}
_PYTHON = re.compile(r"(?:^|/)python[\d.]*$")

TOOL = Tool("torch", "torchrun", command=re.compile(r"(?:^|/)torchrun$"))
# The options have only become more: what the newest does not have, no older one has.
SCHEMA = Schema(TOOL, LAUNCH, "2.13.0")


def options_begin(texts: Sequence[str]) -> int:
    """Return where the options of torchrun begin in a command; 0 if that is not what is started."""
    if texts[0].rsplit("/", 1)[-1] == "torchrun":
        return 1
    is_module = texts[1:2] == ["-m"] and texts[2:3] and texts[2] in _MODULES
    return 3 if is_module and _PYTHON.search(texts[0]) else 0
