"""How long a check takes, and how that grows: keys, misspelt keys, calls, and files together.

    python -m bench.checking_scale

Prints one row for each size; the seconds of reading and of checking should grow as the size does.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.read import parse
from fixbook.config.tools import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (100, 1_000, 5_000, 10_000)
_BASE = "base_model: a\ndatasets: []\nmicro_batch_size: 1\n"
_IMPORT = "from transformers import TrainingArguments\n"


def _unknown(count: int) -> str:
    return _BASE + "".join(f"zz_{number}: 1\n" for number in range(count))


def _misspelt(count: int) -> str:
    names = [name for name in schema_of("axolotl").valid if "." not in name]
    return _BASE + "".join(f"{names[n % len(names)]}x{n}: 1\n" for n in range(count))


def _calls(count: int) -> str:
    call = "TrainingArguments(output_dir='x', deepspeed='none.json', lerning_rate={}.0)\n"
    return _IMPORT + "".join(call.format(number) for number in range(count))


CASES: dict[str, tuple[str, Callable[[int], str]]] = {
    "unknown keys": ("config.yaml", _unknown),
    "misspelt keys": ("config.yaml", _misspelt),
    "calls": ("train.py", _calls),
}


def main() -> None:
    """Measure and print."""
    print(f"{'case':<16}{'size':>8}{'read s':>9}{'check s':>9}{'findings':>10}")
    for name, (file, text_of) in CASES.items():
        for size in SIZES:
            started = time.process_time()
            try:
                tool = "" if file.endswith(".py") else "axolotl"
                document = parse(text_of(size), Path(file), tool)
            except ConfigError as error:
                print(f"{name:<16}{size:>8}  refused: {error.kind}")
                continue
            read = time.process_time()
            report = check([document])
            checked = time.process_time()
            found = len(report.findings)
            print(f"{name:<16}{size:>8}{read - started:>9.2f}{checked - read:>9.2f}{found:>10}")


if __name__ == "__main__":
    main()
