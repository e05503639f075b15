"""The sections of ``recipes/<slug>/entry.yaml``, in the order of the file and of the page."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import BaseModel, Field

from fixbook.book.fields import Group, Name, Slug, Text
from fixbook.book.parts import (
    Aliases,
    Bar,
    Detect,
    Fix,
    Names,
    NonFix,
    Reference,
    Shares,
    Signature,
    SilentTwin,
    Snippet,
)
from fixbook.book.proof import Boundary, Claim, LogFile, NotExecuted, Said, StepClaims
from fixbook.book.rule import Rule
from fixbook.book.strict import STRICT

Category = Literal[
    "illegal-access",
    "out-of-memory",
    "hang",
    "loading",
    "checkpoint",
    "compile",
    "wrong-result",
    "autograd",
    "tensor",
    "precision",
    "distributed",
    "data",
    "installation",
    "host",
    "serving",
]


class Listing(BaseModel):
    """Under what the failure is listed and found in words.

    Attributes:
        title: The failure in the words of those who meet it, at most 70 characters, 45 in Chinese.
        summary: One sentence: what happens, and what to do.
        categories: Where it is listed.
        projects: The libraries it is met in.
        status: ``retired`` for one that no longer matters; its page stays.
        added: The day it was written, such as 2026-11-21.
        aliases: The words that people type for it.
    """

    model_config = STRICT

    title: Text
    summary: Text
    categories: list[Category] = Field(min_length=1)
    projects: list[Name] = Field(min_length=1)
    status: Literal["active", "retired"] = "active"
    added: dt.date
    aliases: Aliases = Aliases()


class Claims(BaseModel):
    """What is said of it, how surely, and of which releases.

    Attributes:
        boundary: Where it begins and ends among the releases of a package.
        not_executed: Releases that matter and could not be executed.
        claims: What is said of the cause, how sure each statement is; first the mechanism.
    """

    model_config = STRICT

    boundary: list[Boundary] = []
    not_executed: list[NotExecuted] = []
    claims: list[Claim] = Field(min_length=1)


class Recognition(BaseModel):
    """What it is known by, and what it is not.

    Attributes:
        signatures: Patterns that recognise it in a log.
        symptoms: Messages that it shares with other causes.
        symptom: What one sees; lines of logs in ``text`` blocks, verbatim.
        not_this_if: How to see that it is another problem.
    """

    model_config = STRICT

    signatures: list[Signature] = []
    symptoms: list[Shares] = []
    symptom: Text
    not_this_if: list[Text] = Field(min_length=1)


class Explanation(BaseModel):
    """Why it happens, and how to make sure of it.

    Attributes:
        cause: Why it happens, in at most three short paragraphs.
        silent_twin: What the same defect does when nothing crashes.
        detect: How to make sure that it is this.
    """

    model_config = STRICT

    cause: Text
    silent_twin: SilentTwin | None = None
    detect: Detect


class Advice(BaseModel):
    """What helps, what does not, and the code to copy.

    Attributes:
        snippets: Code that the page offers for copying, by name.
        yours: What of the code and the texts is the reader's own: the name of a captured group,
            or another, with what stands there where the log does not tell it. Texts ask for it
            by ``{{yours:NAME}}``.
        fixes: Ways out; the first is the one to recommend.
        non_fixes: Advice that circulates and does not help.
    """

    model_config = STRICT

    snippets: dict[Slug, Snippet] = {}
    yours: dict[Group, Text] = {}
    fixes: list[Fix] = Field(min_length=1)
    non_fixes: list[NonFix] = []


class Proof(BaseModel):
    """What the steps of the recipe have to show, and what is drawn from them.

    Attributes:
        simulated: What is not real in steps, by name, where several say the same.
        steps: What each step of the recipe has to show, by its name.
        names: Names that changed from release to release.
        bars: Measures worth drawing; none for most entries.
    """

    model_config = STRICT

    simulated: dict[Slug, Text] = {}
    steps: dict[Slug, StepClaims] = Field(min_length=1)
    names: Names | None = None
    bars: list[Bar] = []


class Appendix(BaseModel):
    """What was said elsewhere, rules, logs and references.

    Attributes:
        said: What articles said of it, held against what was found.
        config_rules: Combinations of settings that ``fixbook check`` reports.
        logs: Real logs that must lead here, two at least.
        references: Where facts come from.
    """

    model_config = STRICT

    said: list[Said] = []
    config_rules: list[Rule] = []
    logs: list[LogFile] = Field(min_length=2)
    references: list[Reference] = Field(min_length=1)
