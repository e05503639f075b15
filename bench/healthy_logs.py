"""Read the corpus of healthy logs."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterator

ARCHIVE = Path(__file__).parent.parent / "tests" / "healthy" / "logs.tar.zst"


def healthy_logs(archive: Path = ARCHIVE) -> Iterator[tuple[str, str]]:
    """Yield name and text of each log; nothing if there is no archive."""
    if not archive.is_file():
        return
    with archive.open("rb") as packed:
        plain = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed)
        with tarfile.open(fileobj=io.BytesIO(plain.read())) as members:
            for member in members:
                content = members.extractfile(member)
                if content is not None:
                    yield member.name.removesuffix(".log"), content.read().decode()
