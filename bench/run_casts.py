"""Write into docs/*/run.md what ``fixbook run`` prints of three entries, in three environments.

Usage: python -m bench.run_casts --older PYTHON --torch-only PYTHON [--lang LANG] [--only NAME]

PYTHON is the interpreter of an environment with transformers 4.51.3 and its time's PEFT and TRL,
and of one with torch alone; the third is this one. Each block below its heading is what was
printed, with the machine's own paths taken out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from bench.casts import write_casts
from fixbook.text import LANGS

ROOT = Path(__file__).parent.parent
CASTS = {
    "older": "tokenizer-pad-missing",
    "torch-only": "autograd-inplace-modified",
    "book": "safetensors-shared-tensors",
}


def cast(slug: str, python: str, lang: str) -> str:
    """Run an entry and return the command with what it prints."""
    done = subprocess.run(
        [python, "-m", "fixbook", "run", slug, "--lang", lang],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=600,
    )
    text = done.stdout.decode("utf-8", "replace").replace(str(ROOT), "/opt/fixbook").rstrip()
    return f"$ fixbook run {slug}\n{text}"


def main() -> None:
    """Run them in both languages, and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--older", required=True, metavar="PYTHON")
    parser.add_argument("--torch-only", required=True, metavar="PYTHON")
    parser.add_argument("--lang", choices=LANGS, help="one language")
    parser.add_argument("--only", choices=tuple(CASTS), help="one of the three runs")
    given = parser.parse_args()
    pythons = {"older": given.older, "torch-only": given.torch_only, "book": sys.executable}
    names = [given.only] if given.only else CASTS
    langs = [given.lang] if given.lang else LANGS

    def shown(name: str, lang: str) -> str:
        return cast(CASTS[name], pythons[name], lang)

    write_casts(ROOT / "docs", "run.md", names, shown, langs)


if __name__ == "__main__":
    main()
