"""Run the argument parsing and the checks of an OpenRLHF script, and stop before it trains.

Usage: python openrlhf_parser.py train_ppo_ray OPTION...

The parser stands under ``if __name__ == "__main__"`` of a module that imports Ray, so that body is
taken out of the installed file and run up to the call of ``train``.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import types
from pathlib import Path


def main() -> None:
    script = sys.argv.pop(1)
    root = Path(str(importlib.util.find_spec("openrlhf").origin)).parent  # type: ignore[union-attr]
    utils = types.ModuleType("openrlhf.utils")
    utils.__path__ = [str(root / "utils")]  # its own __init__ imports more than is installed
    sys.modules["openrlhf.utils"] = utils
    module = ast.parse((root / "cli" / f"{script}.py").read_text("utf-8"))
    body = next(
        node.body
        for node in module.body
        if isinstance(node, ast.If) and "__main__" in ast.dump(node.test)
    )
    kept = [
        node for node in body if not (isinstance(node, ast.Expr) and "id='train'" in ast.dump(node))
    ]
    names = {"argparse": __import__("argparse"), "os": __import__("os"), "__name__": "__main__"}
    from datetime import datetime

    names["datetime"] = datetime
    exec(compile(ast.Module(body=kept, type_ignores=[]), script, "exec"), names)  # noqa: S102


main()
