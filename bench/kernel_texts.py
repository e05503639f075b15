"""Look up what the book calls a kernel's assertion in the kernels that torch has published.

    python -m bench.kernel_texts      writes docs/kernel-texts.md, and what it is made of

Needs no GPU: NVIDIA's cuobjdump, as pip brings it, takes the kernels out of those of torch's builds
for CUDA that steps of the book have installed beside the main environment. Others are left out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.book import load_book
from fixbook.recipe.reading import read_outline
from fixbook.recipe.running import has_overlay, overlay, stand_in_releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fixbook.book import Book

    Known = Mapping[str, dict[str, list[str]] | None]

ROOT = Path(__file__).parents[1]
KNOWN, PAGE = ROOT / "docs/kernel-texts.json", ROOT / "docs/kernel-texts.md"
SYMPTOM = "device-side-assert"
ARCHITECTURE = "sm_90"
_CUOBJDUMP = ["nvidia-cuda-cuobjdump==13.5.37"]
_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_CODE = re.compile(r"(?:``\s?(.+?)\s?``|`([^`]+)`)( ?\{\{mark:reported\}\})?")
# What a kernel checks, or says of it; other code on these pages is of calls and settings.
_CHECKS = re.compile(r"&& | < \w+$|out of bounds|element < 0")
_SOURCE = re.compile(rb"/(\w+\.cu)\b")
_HOST = ("libtorch_cuda.so", "libtorch_cpu.so")
_HEAD = """\
# Texts of kernels

Written by `python -m bench.kernel_texts`; nobody types it. On a GPU the condition that failed is
printed by the kernel, so a machine without one cannot show it. It can show where the text stands:
each cell names the source whose kernels, built for `{architecture}`, hold the text in that
release of torch from PyPI; *host* means that the host hands it to the kernel. A cell is empty
where the text stands in neither; what stands nowhere the book has from reports. The texts are
those of the page on `{symptom}` and of entries that lead there. Which input trips a check, and
that the line is printed, only a card can show.

"""


def texts_of(book: Book) -> dict[str, bool]:
    """Return what the book says that a kernel checks, and whether it has it from reports alone.

    Args:
        book: The book.
    """
    pages = [item.entry for item in book.entries.values()]
    linked = [one for one in pages if any(link.id == SYMPTOM for link in one.symptoms)]
    symptom = book.symptoms[SYMPTOM]
    prose = (_BLOCK.sub("", one.en) for one in (symptom.text, *(one.symptom for one in linked)))
    found: dict[str, bool] = {}
    for text in prose:
        for double, single, mark in _CODE.findall(text):
            span = double or single
            if _CHECKS.search(span):
                found[span] = found.get(span, False) or bool(mark)
    return dict(sorted(found.items()))


def builds(book: Book) -> dict[str, Path]:
    """Return the folders of torch's builds for CUDA that are installed here, by release.

    Args:
        book: The book, whose steps have asked for them.
    """
    asked = [
        step.needs.versions
        for item in book.entries.values()
        for step in read_outline(item.recipe).steps.values()
        if not step.needs.with_dependencies
    ]
    found = {}
    for versions in dict.fromkeys([tuple(stand_in_releases()), *asked]):
        folder = overlay(versions) if versions and has_overlay(versions) else None
        if folder and (folder / "torch/lib" / _HOST[0]).is_file():
            found[next(folder.glob("torch-*.dist-info")).stem.partition("-")[2]] = folder
    return dict(sorted(found.items(), key=lambda one: [int(n) for n in one[0].split(".")]))


def places_of(build: Path, program: Path, texts: Iterable[str]) -> dict[str, list[str]] | None:
    """Return the sources in whose kernels each text stands; None if they cannot be read.

    Args:
        build: Where a torch is installed.
        program: NVIDIA's cuobjdump.
        texts: What to look for.
    """
    found = {text: set[str]() for text in texts}
    libraries = build / "torch/lib"
    with tempfile.TemporaryDirectory(prefix="kernels-") as name:
        command = [str(program), "-arch", ARCHITECTURE, "-xelf", "all", str(libraries / _HOST[0])]
        if subprocess.run(command, cwd=name, stdout=subprocess.DEVNULL, check=False).returncode:
            return None
        for cubin in Path(name).iterdir():
            held = cubin.read_bytes()
            for text, places in found.items():
                if text.encode() in held:
                    places.update(one.decode() for one in _SOURCE.findall(held))
    for library in _HOST:
        held = (libraries / library).read_bytes()
        for text, places in found.items():
            if not places and text.encode() in held:
                places.add("host")
    return {text: sorted(places) for text, places in found.items() if places}


def page(known: Known, texts: Iterable[str]) -> str:
    """Return the page, in Markdown.

    Args:
        known: As `places_of` says of each release.
        texts: What was looked for.
    """
    read = {name: places for name, places in known.items() if places is not None}
    head = _HEAD.format(architecture=ARCHITECTURE, symptom=SYMPTOM)
    lines = [f"| text | {' | '.join(read)} |", "|---" * (len(read) + 1) + "|"]
    for text in texts:
        cells = (", ".join(places.get(text, [])) for places in read.values())
        mark = "`` " if "`" in text else "`"
        lines.append(f"| {mark}{text}{mark[::-1]} | {' | '.join(cells)} |")
    others = ", ".join(name for name in known if name not in read)
    unread = [f"\ncuobjdump cannot read the kernels of {others}."] if others else []
    return head + "\n".join([*lines, *unread]) + "\n"


def absent(known: Known, texts: Mapping[str, bool]) -> Iterator[str]:
    """Yield the texts that stand in none of the builds, and that no report is named for."""
    for text, reported in texts.items():
        if not reported and not any(text in (one or {}) for one in known.values()):
            yield text


def main() -> int:
    """Look, and write both files; ends with 1 where a text stands nowhere and no report has it."""
    book = load_book(ROOT)
    texts, folder = texts_of(book), overlay(_CUOBJDUMP)
    if folder is None:
        raise LookupError("cuobjdump is part of the main environment")
    program = next(folder.glob("nvidia/cu*/bin/cuobjdump"))
    known = {name: places_of(build, program, texts) for name, build in builds(book).items()}
    plain = {"texts": texts, "builds": known}
    KNOWN.write_text(json.dumps(plain, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(page(known, texts), "utf-8")
    nowhere = list(absent(known, texts))
    print(*nowhere, sep="\n")
    return bool(nowhere)


if __name__ == "__main__":
    sys.exit(main())
