"""What SGLang says of command lines: its own parser reads them, no model is looked at.

python bench/seeded_sglang.py    beside SGLang, with {"name": "command"} on standard input
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import shlex
import sys

_RELEASES = (
    *("sglang==0.5.23", "msgspec==0.22.0", "orjson==3.13.0", "pybase64==1.5.1"),
    *("aiohttp==3.14.5", "aiohappyeyeballs==2.7.1", "aiosignal==1.4.0", "frozenlist==1.8.0"),
    *("multidict==7.2.1", "propcache==0.5.4", "yarl==1.25.1"),
)


def ask_sglang(texts: dict[str, str]) -> dict[str, list[str]]:
    """Return what SGLang says of each command, by its name."""
    from bench.seeded_vllm import asked_beside  # noqa: PLC0415  (not beside SGLang)

    return asked_beside("seeded_sglang.py", _RELEASES, texts, {})


def main() -> None:
    """Answer."""
    given: dict[str, str] = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print while they are imported
    parser = argparse.ArgumentParser("sglang.launch_server")
    importlib.import_module("sglang.srt.server_args").ServerArgs.add_cli_args(parser)
    said: dict[str, list[str]] = {}
    for name, command in given.items():
        err, words = io.StringIO(), shlex.split(command)
        said[name] = []
        try:
            with contextlib.redirect_stderr(err):
                parser.parse_args(words[words.index("sglang.launch_server") + 1 :])
        except SystemExit:
            said[name] = err.getvalue().strip().splitlines()[-1:]
    json.dump(said, answers)
    answers.close()


if __name__ == "__main__":
    main()
