"""The forms of what the commands print with ``--json``: additive only, published as JSON Schema.

What a form names is there in every answer. Texts of a log or a file are redacted.
"""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # the standard one has no schema before Python 3.12

_Both = dict[str, str]  # a text in both languages


class Diagnosis(TypedDict):
    """``fixbook diagnose --json``."""

    schema_version: int
    kind: Literal["entry", "symptom", "unknown"]
    answer: dict[str, Any] | None
    exception: dict[str, Any] | None
    goes_on: dict[str, Any] | None
    next: dict[str, Any] | None
    runner_ups: list[dict[str, Any]]
    unrecognised: list[dict[str, Any]]
    guesses: list[dict[str, Any]]
    lines: int
    entries: int


class Finding(TypedDict):
    """A finding in a configuration, or on a machine."""

    file: str | None
    line: int
    column: int
    severity: Literal["error", "warning", "note"]
    rule: str
    entry: str | None
    tool: str
    key: str
    message: _Both
    why: _Both
    mend: _Both | None
    applies: Literal["safe", "suggestion"] | None
    diff: str
    not_fixed: _Both | None


class Check(TypedDict):
    """``fixbook check --json``."""

    schema_version: int
    fixbook: str
    findings: list[Finding]
    applied: list[dict[str, Any]]
    unrecognised: list[str]
    unreadable: list[dict[str, Any]]
    limits: _Both
    checked: int
    skipped: dict[str, Any]


class Known(TypedDict):
    """What a release is known for."""

    entry: str
    kind: Literal["defect", "change"]
    level: Literal["warning", "note"]
    package: str
    installed: str
    line: int | None
    last_good: str | None
    first_bad: str | None
    first_fixed: str | None
    sure: Literal["executed", "read", "stated"]
    began: str | None
    what: str
    summary: str
    note: str | None
    reference: str | None


class AuditedList(TypedDict):
    """One list of packages that was audited."""

    source: str
    kind: str
    packages: int
    in_the_book: int
    never_executed: list[str]
    open: dict[str, str]
    findings: list[Known]
    not_known: list[dict[str, str]]


class Audit(TypedDict):
    """``fixbook audit --json``."""

    schema_version: int
    lists: list[AuditedList]


class Run(TypedDict):
    """``fixbook run --json``."""

    schema_version: int
    entry: str
    yours: dict[str, Any]
    evidence: dict[str, Any] | None
    outside: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    summary: dict[str, dict[str, int]]
    as_on_the_page: bool
    exit_code: int


class Search(TypedDict):
    """``fixbook search --json``."""

    schema_version: int
    query: str
    results: list[dict[str, str]]
    entries: int


class Entries(TypedDict):
    """``fixbook list --json``."""

    schema_version: int
    entries: list[dict[str, Any]]


class Lint(TypedDict):
    """``fixbook lint --json``."""

    schema_version: int
    problems: list[dict[str, Any]]


class Verified(TypedDict):
    """``fixbook verify --json``."""

    schema_version: int
    steps: list[dict[str, Any]]


class Machine(TypedDict):
    """``fixbook env --json``; what else stands in it depends on the machine."""

    schema_version: int
    fixbook_env: int
    fixbook: str
    findings: list[Finding]


class Fit(TypedDict):
    """``fixbook fit --json``, in bytes."""

    schema_version: int
    tool: str
    release: str | None
    model: str
    batch: int
    length: int
    card: int
    verdict: Literal["fits", "too-close", "does-not-fit"]
    allocated: int
    reserved: list[int]
    allowed: dict[str, int]
    peak: str
    phases: dict[str, Any]
    per_100_tokens: int | float | None
    changes: list[dict[str, Any]]
    assumed: Any
    notes: list[str]


FORMS: dict[str, Any] = {
    "diagnose": Diagnosis,
    "check": Check,
    "audit": Audit,
    "run": Run,
    "search": Search,
    "list": Entries,
    "lint": Lint,
    "verify": Verified,
    "env": Machine,
    "fit": Fit,
}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each form, by the name of its command."""
    from pydantic import TypeAdapter  # noqa: PLC0415  (slow, and only the build asks)

    return {name: TypeAdapter(form).json_schema() for name, form in FORMS.items()}
