"""Ask TRL's classes about keyword arguments; runs beside TRL, and imports nothing of this project.

Usage: ``python trl_checks.py arguments '{"name": ["GRPOConfig", {...}]}'``; prints what each says.
"""

from __future__ import annotations

import importlib
import json
import sys


def main() -> None:
    trl = importlib.import_module("trl")
    said: dict[str, str] = {}
    for name, (schema, values) in json.loads(sys.argv[2]).items():
        try:
            getattr(trl, schema)(**values)
        except (TypeError, ValueError) as error:
            said[name] = str(error)
        else:
            said[name] = ""
    print(json.dumps(said))  # noqa: T201  (the answer)


if __name__ == "__main__":
    main()
