"""What a reader takes along: the wheel of fixbook, and the folder of each entry as one file.

A recipe in such a folder names the wheel by its address on the site, and so runs wherever the
folder lies.
"""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING

from fixbook.recipe.reading import begun_alone, from_address
from fixbook.site_address import FOLDERS, WHEEL, WHEELS, wheel_address
from fixbook.text import _
from generator import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import BookEntry
    from generator.view.library import Library

_TIMEOUT_S = 300


class TakeawayError(Exception):
    """The wheel could not be built; the message says why."""


def write_takeaway(library: Library, out: Path, base: str) -> None:
    """Write the wheel and the folders of all entries.

    Args:
        library: The book.
        out: The built site, above its languages.
        base: Address that the site will have, without a slash at its end.

    Raises:
        TakeawayError: The wheel could not be built.
    """
    write_wheel(out / WHEELS)
    (out / FOLDERS).mkdir(exist_ok=True)
    for slug, dossier in library.dossiers.items():
        packed = folder_of(dossier.item, wheel_address(base))
        (out / FOLDERS / f"{slug}.tar.gz").write_bytes(packed)


def folder_of(item: BookEntry, wheel: str) -> bytes:
    """Return an entry's folder as a compressed archive; the same for the same folder.

    Args:
        item: The entry.
        wheel: Address of the wheel that its recipe asks for.
    """
    buffer = io.BytesIO()
    # Neither has the time: what has not changed is not loaded again.
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", filename="", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in sorted(item.folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                if path == item.recipe:
                    content = begun_alone(from_address(content.decode(), wheel)).encode()
                name = path.relative_to(item.folder).as_posix()
                one = tarfile.TarInfo(f"{item.slug}/{name}")
                one.size, one.mode = len(content), 0o755 if path.stat().st_mode & 0o100 else 0o644
                archive.addfile(one, io.BytesIO(content))
    return buffer.getvalue()


def write_wheel(folder: Path, timeout_s: int = _TIMEOUT_S) -> None:
    """Build the wheel of this checkout.

    Args:
        folder: Where it is put.
        timeout_s: When to give up, in seconds.

    Raises:
        TakeawayError: It could not be built.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    try:
        said = subprocess.run(
            command, cwd=PROJECT, capture_output=True, text=True, timeout=timeout_s, check=False
        ).stderr
    except subprocess.TimeoutExpired:
        said = _("it took over {seconds} s").format(seconds=timeout_s)
    if not (folder / WHEEL).is_file():
        lines = said.strip().splitlines() or [""]
        raise TakeawayError(_("the wheel was not built: {said}").format(said=lines[-1]))
