"""What a page says, as plain data; the same names in every JSON that fixbook prints or serves.

Texts are Markdown in one language, measures filled in. Links to other pages stand below the root
of the language; a sentence that is less than proven ends with its mark in words.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # the standard one has no schema before Python 3.12

SCHEMA_VERSION = 1


class Code(TypedDict):
    """Code to copy, exactly as a step executed it.

    Attributes:
        language: Its language, such as ``python`` or ``bash``.
        text: The code.
        not_executed: Why no step executes it; None where one does.
    """

    language: str
    text: str
    not_executed: str | None


class Change(TypedDict):
    """What changes in a configuration file.

    Attributes:
        tool: The tool that reads the file.
        version: The release that the file was checked with.
        text: The changed lines, as a diff.
    """

    tool: str
    version: str
    text: str


class Advice(TypedDict):
    """A way out, or advice that does not help.

    Attributes:
        id: Its name within the entry.
        title: What to do.
        text: How, and why it helps or does not.
        code: The code to copy, or None.
        changes: What changes in configuration files.
        trade_off: What it costs, or None.
        cases: What a message shows where this is the one.
        executed: Whether a step has executed it.
    """

    id: str
    title: str
    text: str
    code: Code | None
    changes: list[Change]
    trade_off: str | None
    cases: list[str]
    executed: bool


class Check(TypedDict):
    """The first measurement, which tells the failure from its look-alikes.

    Attributes:
        text: What to measure, and what the answer means.
        code: The code that measures it, or None.
    """

    text: str
    code: Code | None


class Statement(TypedDict):
    """One thing said of the cause.

    Attributes:
        level: ``proven``, ``upstream``, ``inferred`` or ``unknown``.
        text: The statement.
    """

    level: str
    text: str


class Bound(TypedDict):
    """Where a failure begins and ends among the releases of a package.

    Attributes:
        package: The package.
        last_good: The last release without the failure, or None.
        first_bad: The first release with it, or None.
        first_fixed: The first release without it again, or None.
        sure: ``executed`` on both sides, ``read`` or ``stated``.
        began: The same of its beginning, where only its end was executed; else None.
        note: What else is to say, or None.
    """

    package: str
    last_good: str | None
    first_bad: str | None
    first_fixed: str | None
    sure: str
    began: str | None
    note: str | None


class Release(TypedDict):
    """A library that the steps ran on.

    Attributes:
        package: The library.
        newest: The newest release of it.
        earlier: How many earlier ones.
    """

    package: str
    newest: str
    earlier: int


class Link(TypedDict):
    """Where a fact comes from.

    Attributes:
        kind: What it is, such as ``issue``.
        title: Its title.
        url: Its address.
    """

    kind: str
    title: str
    url: str


class Article(TypedDict):
    """The page of an entry.

    Attributes:
        schema_version: Version of this form; keys are added only.
        kind: ``entry``.
        slug: Name of the entry, and its address.
        lang: The language.
        status: ``active``, or ``retired`` for one that no longer matters.
        title: The failure in the words of those who meet it.
        summary: One sentence: what happens, and what to do.
        categories: Where it is listed.
        projects: The libraries it is met in.
        ran_on: The libraries that its steps ran on.
        devices: The kinds of device that they ran on, such as ``cpu``.
        verified: Day of the latest run, or None.
        fixes: Ways out; the first is the recommended one.
        names: What each name that changed is today; empty for one without a successor.
        symptom: What one sees.
        check: How to make sure that it is this.
        not_this_if: How to see that it is another problem.
        cause: Why it happens.
        statements: What is said of the cause, and how sure it is.
        non_fixes: Advice that does not help.
        silent_twin: What the same defect does when nothing crashes, or None.
        boundary: Where it begins and ends among releases.
        references: Where facts come from.
    """

    schema_version: int
    kind: Literal["entry"]
    slug: str
    lang: str
    status: str
    title: str
    summary: str
    categories: list[str]
    projects: list[str]
    ran_on: list[Release]
    devices: list[str]
    verified: str | None
    fixes: list[Advice]
    names: dict[str, str]
    symptom: str
    check: Check
    not_this_if: list[str]
    cause: str
    statements: list[Statement]
    non_fixes: list[Advice]
    silent_twin: str | None
    boundary: list[Bound]
    references: list[Link]


class Cause(TypedDict):
    """One of the failures that share a message.

    Attributes:
        slug: The entry.
        title: Its title.
        ask: The question whose "yes" leads to it.
    """

    slug: str
    title: str
    ask: str


class Message(TypedDict):
    """The page of a message that several failures share.

    Attributes:
        schema_version: Version of this form; keys are added only.
        kind: ``message``.
        slug: Name of the message.
        lang: The language.
        title: The message.
        summary: One sentence on it.
        text: What it says, and what it does not.
        causes: The failures that print it.
    """

    schema_version: int
    kind: Literal["message"]
    slug: str
    lang: str
    title: str
    summary: str
    text: str
    causes: list[Cause]
