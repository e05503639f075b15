"""What vLLM says of command lines: it makes, and checks, its configuration for a Llama.

python bench/seeded_servers.py    beside vLLM, with {"name": "command"} on standard input
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SMALL = {"num_attention_heads": 32, "max_position_embeddings": 32768}


def _vllm() -> Callable[[str], object]:
    from fixbook.recipe.helpers.vllm_workers import (  # noqa: PLC0415
        configured,
        know_llama,
        write_model,
    )

    know_llama()
    write_model(**_SMALL)
    return configured


def main() -> None:
    """Answer."""
    given: dict[str, str] = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print while they are imported
    said: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        ask = _vllm()
        for name, command in given.items():
            err = io.StringIO()
            said[name] = []
            try:
                with contextlib.redirect_stderr(err):
                    ask(command)
            except SystemExit:
                said[name] = err.getvalue().strip().splitlines()[-1:]
            except Exception as error:  # noqa: BLE001  (the answer, whatever it is)
                lines = [line.strip() for line in str(error).splitlines() if line.strip()]
                said[name] = [f"{type(error).__name__}:", *lines[:4]]
    json.dump(said, answers)
    answers.close()


if __name__ == "__main__":
    main()
