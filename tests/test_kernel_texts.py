"""Texts of kernels: looked for where torch's builds hold them, and written down as found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.kernel_texts import KNOWN, PAGE, absent, page, places_of, texts_of
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

CHECK, OTHER, HANDED = "row < rows", "column < columns", "element < 0"
EXTRACTS = f"""#!/bin/sh
printf 'a /src/Row.cu\\0{CHECK}\\0' > one.cubin
printf 'a /src/Other.cu\\0' > two.cubin
"""


def build(folder: Path, script: str) -> tuple[Path, Path]:
    """Return a folder with libraries, and a program that takes kernels out of them."""
    libraries = folder / "torch/lib"
    libraries.mkdir(parents=True)
    (libraries / "libtorch_cuda.so").write_bytes(b"kernels")
    (libraries / "libtorch_cpu.so").write_bytes(f"it says {HANDED}".encode())
    program = folder / "cuobjdump"
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    return folder, program


def test_a_text_is_found_in_a_kernel_or_on_the_host(tmp_path: Path) -> None:
    """And one that stands in neither is told."""
    texts = [CHECK, OTHER, HANDED]
    found = places_of(*build(tmp_path, EXTRACTS), texts)
    assert found == {CHECK: ["Row.cu"], HANDED: ["host"]}
    known = {"1.0": found, "0.9": None}
    assert list(absent(known, dict.fromkeys(texts, False))) == [OTHER]
    assert list(absent(known, dict.fromkeys(texts, True))) == []
    written = page(known, texts)
    assert f"| `{CHECK}` | Row.cu |\n| `{OTHER}` |  |\n| `{HANDED}` | host |" in written
    assert written.endswith("cannot read the kernels of 0.9.\n")


def test_kernels_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    """The program refuses old ones."""
    assert places_of(*build(tmp_path, "#!/bin/sh\nexit 1\n"), [CHECK]) is None


def test_the_page_in_docs_is_of_what_the_book_says() -> None:
    """Every text that the book calls a kernel's was looked for, and stands somewhere."""
    known = json.loads(KNOWN.read_text("utf-8"))
    assert known["texts"] == texts_of(real_book())
    assert page(known["builds"], known["texts"]) == PAGE.read_text("utf-8")
    assert list(absent(known["builds"], known["texts"])) == []
