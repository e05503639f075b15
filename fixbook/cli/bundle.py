"""``fixbook bundle``: one folder with which a machine without a network runs the GPU steps."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.bundle.closure import closure, fixbook_requires, libraries_of_gpu_steps
from fixbook.bundle.wheels import place
from fixbook.exits import DONE
from fixbook.text import _

MANIFEST = "bundle.json"
_PARTS = (
    *("recipes", "rules", "symptoms", "sources.yaml", "terms.yaml", "slugs.txt", "LICENSE"),
    "exempt-from-negative-control.txt",
)
_PYTHONS = ("3.11", "3.12", "3.13")
_PYTHON = re.compile(r"3\.\d+")


def _versions(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for text in value:
        if not _PYTHON.fullmatch(text):
            raise click.BadParameter(f"{text!r} is not of the form 3.12")
    return value


@click.command("bundle")
@click.argument("target", type=click.Path(path_type=Path), default=Path("bundle"))
@click.option("--python", "pythons", multiple=True, default=_PYTHONS, callback=_versions,
              metavar="3.X", help="Version of the machine's Python; repeatable.")  # fmt: skip
@click.option(
    "--arch", type=click.Choice(["x86_64", "aarch64"]), default="x86_64", help="Its processor."
)
def command(target: Path, pythons: tuple[str, ...], arch: str) -> int:
    """Pack the book for a machine with a GPU and no network, into the folder or .tar file TARGET.

    The machine needs Linux, Python, and its own torch and transformers, of whatever version. There,
    'python bundle/run.py' runs every GPU step and writes ./results.
    """
    tar = target.name.endswith((".tar", ".tar.gz", ".tgz"))
    if target.exists() and not (target / MANIFEST).is_file() and not (tar and target.is_file()):
        message = _("{folder} exists already; nothing was written").format(folder=target)
        raise click.ClickException(message)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".bundle-", dir=target.parent) as name:
        folder = Path(name) / "bundle"
        _pack(folder, pythons, arch)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if tar:
            packed = Path(name) / "bundle.tar"
            with tarfile.open(packed, "w" if target.suffix == ".tar" else "w:gz") as archive:
                archive.add(folder, "bundle")
            packed.replace(target)
        else:
            if target.exists():
                shutil.rmtree(target)
            folder.rename(target)
    click.echo(f"{target}: {size / 1024**2:.0f} MiB, Python {', '.join(pythons)}, {arch}")
    return DONE


def _pack(folder: Path, pythons: tuple[str, ...], arch: str) -> None:
    book, ours = load_book(), fixbook_requires()
    ignore = shutil.ignore_patterns("__pycache__")
    package = Path(str(files("fixbook")))
    shutil.copytree(package, folder / "fixbook", ignore=ignore)
    shutil.copy2(package / "bundle" / "run.py", folder / "run.py")
    root = book_root()
    for source in (root / name for name in _PARTS) if root != package / "_book" else ():
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=ignore)
        elif source.is_file():
            shutil.copy2(source, folder / source.name)
    rows: dict[str, dict[str, Any]] = {}
    for python in pythons:
        found = closure([*ours, *libraries_of_gpu_steps(book)], python)
        placed = place(found, folder / "libs", python, arch)
        rows[python] = {
            name: {
                "version": found[name].version,
                "folder": f"libs/{place_}",
                "requires": list(found[name].requires or ()),
            }
            for name, place_ in sorted(placed.items())
        }
    manifest = {"requires": ours, "arch": arch, "pythons": rows}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
