"""A step of SFT on questions with images and answers of words."""

from __future__ import annotations

from typing import Any

from failure import IMAGE, with_answers
from proof_images import TEXTS, judged, ready

from fixbook.recipe import snippet


def taught(*, clean: bool = False) -> dict[str, Any]:
    """Train on an answer that speaks of the placeholder, as it is or as the page cleans it."""
    processor, model = ready()
    answers = [f"the {IMAGE} token", "a loss goes down"]
    if clean:
        answers = [snippet("clean", processor=processor, answer=one)["answer"] for one in answers]
    return judged(model, with_answers(processor, TEXTS, answers))
