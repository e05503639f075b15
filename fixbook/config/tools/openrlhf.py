"""OpenRLHF: commands with flags, declared by ``argparse`` in each script."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.config.tool import Keys


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import within
    from fixbook.config.extract.options import options

    return {
        path.rsplit("/", 1)[1].removesuffix(".py"): dict(options(ast.parse(text)))
        for path, text in within(files, "openrlhf/cli/").items()
        if path.endswith(".py")
    }


TOOL = Tool(
    "openrlhf",
    "OpenRLHF",
    nested=True,
    command=re.compile(r"openrlhf[./]cli[./](?P<schema>\w+?)(?:\.py)?$"),
    extract=_extract,
    check="train_sft",
    stack=("openrlhf==0.11.2",),
)
