"""How long a check takes, and how that grows: keys, misspelt keys, options, calls, one mend.

    python -m bench.checking_scale [--sizes 100 1000 10000 100000]

Prints one row for each size, or how the file is refused. The seconds of processor of each stage
should grow as the size does: reading, checking, working out the diffs, and writing the fixes.
Each row is measured in a process of its own, whose largest memory stands in the last column.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.errors import ConfigError
from fixbook.config.fix import fixed_text
from fixbook.config.patch import work_out
from fixbook.config.read import read_file
from fixbook.config.tools import schema_of
from fixbook.config.write import write

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (100, 1_000, 10_000, 100_000)
_BASE = "base_model: a\ndatasets: []\nmicro_batch_size: 1\n"
_MEND = "gradient_chekpointing: true\n"
_IMPORT = "from transformers import TrainingArguments\n"


def _unknown(count: int) -> str:
    return _BASE + "".join(f"z{number}: 1\n" for number in range(count))


def _misspelt(count: int) -> str:
    names = [name for name in schema_of("axolotl").valid if "." not in name]
    return _BASE + "".join(f"{names[n % len(names)]}x{n}: 1\n" for n in range(count))


def _json(count: int) -> str:
    keys = "".join(f'"z{number}": 1,\n' for number in range(count))
    return "{" + keys + '"train_batch_size": 1, "zero_optimization": {"stage": 2}}\n'


def _options(count: int) -> str:
    options = "".join(f"  --lerning_rate{number} 1 \\\n" for number in range(count))
    return f"torchrun train.py --output_dir out \\\n{options}  --per_device_train_batch_size 1\n"


def _calls(count: int) -> str:
    call = "TrainingArguments(output_dir='x', lerning_rate={}.0)\n"
    return _IMPORT + "".join(call.format(number) for number in range(count))


def _comments(count: int) -> str:
    return _BASE + "# a b c\n" * count + _MEND


def _mixed_ends(count: int) -> str:
    lines = (f"# {number}" + ("\n" if number % 3 else "\r\n") for number in range(count))
    return _BASE + "".join(lines) + _MEND


CASES: dict[str, tuple[str, Callable[[int], str]]] = {
    "unknown keys": ("config.yaml", _unknown),
    "misspelt keys": ("config.yaml", _misspelt),
    "keys in JSON": ("config.json", _json),
    "options": ("train.sh", _options),
    "calls": ("train.py", _calls),
    "lines, one mend": ("config.yaml", _comments),
    "mixed line ends": ("config.yaml", _mixed_ends),
}
_TOOLS = {"config.yaml": "axolotl", "config.json": "deepspeed"}


def row(name: str, size: int) -> str:
    """Measure one case in this process.

    Args:
        name: A key of `CASES`.
        size: How many keys, calls or lines.
    """
    file, text_of = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_bytes(text_of(size).encode())
        at = [time.process_time()]
        try:
            document = read_file(path, _TOOLS.get(file, ""))
            at.append(time.process_time())
            report = check([document])
            at.append(time.process_time())
            work_out(report.findings)
            at.append(time.process_time())
            write(document, fixed_text(report, document))
            at.append(time.process_time())
        except ConfigError as error:
            return f"refused: {error.as_text('en').partition(': ')[2]}"[:90]
    stages = "".join(f"{after - before:>8.2f}" for before, after in pairwise(at))
    room = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"{stages}{len(report.findings):>10}{room:>6}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    sizes = parser.parse_args().sizes
    heads = f"{'read':>8}{'check':>8}{'diffs':>8}{'fix':>8}{'findings':>10}{'MiB':>6}"
    print(f"{'case':<17}{'size':>8}{heads}")
    for name in CASES:
        for size in sizes:
            alone = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            with alone as pool:
                print(f"{name:<17}{size:>8}{pool.submit(row, name, size).result():>8}", flush=True)


if __name__ == "__main__":
    main()
