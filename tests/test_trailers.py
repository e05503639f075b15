"""What stands beside any error is evidence of none, in a signature, a headline or a likely line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fixbook.gates.trailers import trailers
from fixbook.log.diagnose import diagnose
from fixbook.log.likely import likeness
from fixbook.log.normalise import clean_line
from fixbook.log.signatures import Index
from tests.gating import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

# An exception, whose text is what follows: it is the headline where no more of it is printed.
EXCEPTION = "pydantic_core._pydantic_core.ValidationError: "
TEXTS = [text for text, _ in trailers() if not text.startswith(EXCEPTION)]


@pytest.mark.parametrize("text", TEXTS)
def test_a_trailer_reads_like_no_failure(text: str) -> None:
    assert likeness(clean_line(text)[0]) == 0
    assert diagnose(text, Index(())).unknown == ()


def test_all_of_them_together_have_no_answer() -> None:
    seen = diagnose("\n".join(TEXTS), Index(()))
    assert seen.exception is None


def test_the_gate_names_the_signature_and_the_trailer(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    entry["signatures"][0]["pattern"] = r"[Dd]evice-side assert"
    text = found(make_book(entry), "trailers")
    assert "matches what tells nothing" in text
    assert "TORCH_USE_CUDA_DSA" in text
    assert "torch c10/cuda/CUDADeviceAssertionHost.cpp prints this beside others" in text
