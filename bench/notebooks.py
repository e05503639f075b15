"""Notebooks of entries, run from the first cell to the last as a reader's Jupyter runs them.

    python -m bench.notebooks                 twelve of them; writes docs/notebooks.md
    python -m bench.notebooks SLUG …          some; prints alone
    python -m bench.notebooks --keep DIR …    keeps them there as they are afterwards

The table says how long each took, and what its verdict says. The kernel is that of a fresh
environment, which sees the libraries of this one and not its fixbook: the first cell installs the
wheel, served from this machine; nothing else can be loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import re
import resource
import sysconfig
import tempfile
import threading
import time
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from fixbook.book import load_book
from fixbook.environment import machine
from fixbook.site_address import WHEELS
from generator.exports.takeaway import write_wheel
from generator.pages.notebook import notebook
from generator.site.server import server
from generator.view.edition import Edition
from generator.view.library import Library, dossier_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book
    from fixbook.text import Lang

# Of every kind: a message, a silent defect, ranks, a hang, numbers, saving and loading, memory.
# Each has a failure that needs no other releases: a notebook says how to run the others.
TWELVE = (
    "tokenizer-pad-missing",
    "rank-dependent-graph-hang",
    "adapter-without-gradients-trains-on",
    "autograd-inplace-modified",
    "cross-entropy-target-out-of-bounds",
    "ddp-unused-parameters",
    "dtype-mismatch-mat1-mat2",
    "grad-checkpointing-no-grad-lora",
    "nan-loss-fp16",
    "optimizer-param-group-mismatch-resume",
    "safetensors-shared-tensors",
    "trainer-api-renamed-kwarg",
)
PAGE = Path(__file__).parents[1] / "docs/notebooks.md"
TABLE = "| notebook | s | CPU s | verdict |\n|---|---:|---:|---|"
_HEAD = """\
# Notebooks, run

Written by `make notebooks`; nobody types it. Each notebook was run from its first cell to its last
in a kernel of its own, which sees the libraries of this environment and nothing of this checkout:
its first cell installs the wheel of the site. The verdict is what its last cell says. Run on {day}
on a CPU ({processor}), beside other work: the CPU seconds are those of all
its processes.

"""
_CELL_S = 900  # ends what hangs; nothing is measured
_VERDICT = re.compile(r"(?ms)^In your environment\b.*?\.$")
_KERNEL = "reader"
_OURS = ("fixbook", "_fixbook", "__editable__", "__pycache__")


@dataclass(frozen=True, slots=True)
class Ran:
    """A notebook that has run.

    Attributes:
        printed: What each cell of code printed, by its id.
        seconds: How long all of it took, the start of the kernel included.
        cpu_seconds: What all of its processes computed; a machine with other work has it, too.
        text: The notebook as it is now, with what its cells printed.
    """

    printed: dict[str, str]
    seconds: float
    cpu_seconds: float
    text: str

    @property
    def verdict(self) -> str:
        """The sentence on the environment, on one line; empty if there is none."""
        found = _VERDICT.search(self.printed["verdict"])
        return " ".join(found[0].split()) if found else ""


@dataclass(frozen=True)
class Jupyter:
    """A reader's Jupyter.

    Attributes:
        folder: Where notebooks run; what it is made of stands beside it.
        site: Address of what serves the wheel.
    """

    folder: Path
    site: str

    def run(self, book: Book, slug: str, lang: Lang = "en") -> Ran:
        """Run the notebook of an entry.

        Args:
            book: The book.
            slug: The entry.
            lang: Which of its notebooks.

        Raises:
            nbclient.exceptions.CellExecutionError: A cell raised something.
        """
        library = Library(book, {slug: dossier_of(book.get(slug), book)})
        text = notebook(Edition(library, lang, self.site).views[slug], self.site)
        made = nbformat.reads(text, as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
        start, cpu = time.perf_counter(), _cpu_of_children()
        client = NotebookClient(
            made,
            km=_kernel(self.folder.parent),
            timeout=_CELL_S,
            resources={"metadata": {"path": str(self.folder)}},
        )
        client.execute(env=_environment(self.folder.parent), cleanup_kc=True)
        printed = {cell["id"]: _printed(cell) for cell in made.cells if cell.cell_type == "code"}
        took, used = time.perf_counter() - start, _cpu_of_children() - cpu
        return Ran(printed, took, used, nbformat.writes(made))  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def jupyter(folder: Path) -> Iterator[Jupyter]:
    """Make a Jupyter that sees the libraries installed here, and serve the wheel to it.

    Args:
        folder: An empty one.
    """
    for name in ("site", "libraries", "kernels/reader", "work"):
        (folder / name).mkdir(parents=True)
    write_wheel(folder / "site" / WHEELS)
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(_OURS) and path.suffix != ".pth":
            (folder / "libraries" / path.name).symlink_to(path)
    venv.create(folder / "env", symlinks=True)
    (packages,) = (folder / "env").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(f"{folder / 'libraries'}\n", "utf-8")
    command = [str(folder / "env/bin/python"), "-m", "ipykernel_launcher", "-f"]
    spec = {
        "argv": [*command, "{connection_file}"],
        "display_name": _KERNEL,
        "language": "python",
    }
    (folder / "kernels/reader/kernel.json").write_text(json.dumps(spec), "utf-8")
    with server(folder / "site", 0) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield Jupyter(folder / "work", f"http://127.0.0.1:{listening.server_address[1]}")
        listening.shutdown()
        thread.join()


def _kernel(folder: Path) -> AsyncKernelManager:
    specs = KernelSpecManager(kernel_dirs=[str(folder / "kernels")], ensure_native_kernel=False)
    return AsyncKernelManager(kernel_name=_KERNEL, kernel_spec_manager=specs)


def _environment(folder: Path) -> dict[str, str]:
    """Return the variables of a reader who has no checkout, and no index to load from."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("FIXBOOK_")}
    kept.pop("PYTHONPATH", None)
    own = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "no_proxy": "127.0.0.1"}
    return kept | own | {"IPYTHONDIR": str(folder / "ipython")}


def _printed(cell: Any) -> str:
    """Return what a cell printed; a kernel's commands write to a terminal, which ends lines so."""
    return "".join(one.get("text", "") for one in cell.outputs).replace("\r\n", "\n")


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shown(slug: str, ran: Ran) -> str:
    """Return a row of the table."""
    return f"| {slug} | {ran.seconds:.1f} | {ran.cpu_seconds:.1f} | {ran.verdict} |"


def page(rows: list[str], runs: list[Ran], day: dt.date) -> str:
    """Return the page, in Markdown."""
    here = machine()
    head = _HEAD.format(day=day, processor=f"{here.cpu}, {here.cores} cores")
    seconds, cpu = (sum(getattr(run, of) for run in runs) for of in ("seconds", "cpu_seconds"))
    which = f"{len(runs)} of {len(TWELVE)}"
    total = f"{which} were run: {seconds / 60:.1f} minutes, {cpu:.0f} CPU seconds."
    return "\n".join([head + TABLE, *rows, "", total, ""])


def main() -> None:
    """Run the notebooks that are named, or twelve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*")
    parser.add_argument("--keep", type=Path, help="a folder for the notebooks with their outputs")
    options = parser.parse_args()
    book, rows, runs = load_book(), [], []
    print(TABLE)
    with tempfile.TemporaryDirectory() as made, jupyter(Path(made).resolve()) as reader:
        for slug in options.slugs or TWELVE:
            ran = reader.run(book, slug)
            if options.keep:
                (options.keep / f"{slug}.ipynb").write_text(ran.text, "utf-8")
            rows.append(shown(slug, ran))
            runs.append(ran)
            print(rows[-1], flush=True)
            if not options.slugs:
                PAGE.write_text(page(rows, runs, dt.datetime.now(dt.UTC).date()), "utf-8")


if __name__ == "__main__":
    main()
