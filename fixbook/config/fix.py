"""Carry out the safe fixes of a document until a check of the result finds no more of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fixbook.config.check import check
from fixbook.config.patch import Affordable, mended
from fixbook.config.read import parse

if TYPE_CHECKING:
    from fixbook.config.check import Report
    from fixbook.config.finding import Finding
    from fixbook.config.setting import ConfigDocument

_ROUNDS = 5  # a mend may uncover another; more than a few would be two rules at odds


def fixed_text(report: Report, document: ConfigDocument) -> str:
    """Return the text of a document with the safe fixes of a report, and of what they uncover.

    What would change the training is a suggestion, and left to a person.

    Args:
        report: A check that the document was part of.
        document: One of its documents.
    """
    affordable = Affordable()
    text = mended(document, _safe(report, document), affordable)[0]
    if text == document.text:
        return text
    for _ in range(_ROUNDS):
        now = parse(text, document.path)
        pairs = zip(now.sections, document.sections, strict=False)
        known = [replace(before, settings=section.settings) for section, before in pairs]
        now.sections[: len(known)] = known
        again = mended(now, _safe(check([now]), now), affordable)[0]
        if again == text:
            break
        text = again
    return text


def _safe(report: Report, document: ConfigDocument) -> list[Finding]:
    mine = (item for item in report.findings if item.document is document)
    return [item for item in mine if item.applies == "safe"]
