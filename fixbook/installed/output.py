"""The result of an audit as text, as data and as SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fixbook import __version__
from fixbook.installed.inventory import ENVIRONMENT
from fixbook.log.redact import blank
from fixbook.site_address import entry_address
from fixbook.text import N_, ngettext, printable, translator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.installed.judge import Audit, Finding
    from fixbook.text import Lang

SCHEMA_VERSION = 1
_HEADS = {
    "defect": N_("Known defects of your releases"),
    "change": N_("Changed in your releases: code written for earlier ones may fail"),
}
_SURE = {"read": N_("read in the source, not run"), "stated": N_("stated upstream, not run")}
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(audits: Sequence[Audit], lang: Lang) -> Iterator[str]:
    """Yield the lines of a report for a terminal."""
    for audit in audits:
        yield from _one(audit, lang, named=len(audits) > 1)


def _one(audit: Audit, lang: Lang, *, named: bool) -> Iterator[str]:
    _ = translator(lang)
    if named:
        yield f"== {printable(audit.inventory.source)}"
    shown = ""
    for finding in audit.findings:
        head = _HEADS[finding.kind]
        if finding.kind != shown:
            yield _(head)
            shown = finding.kind
        yield from _finding(finding, lang)
    if audit.unsure:
        yield _("Not known: older than all that were run, between two that were, or a candidate")
    for installed, row in audit.unsure:
        yield f"  {installed.name} {installed.release}: {row['title'][lang]} ({row['entry']})"
    yield from _summary(audit, lang)


def _finding(finding: Finding, lang: Lang) -> Iterator[str]:
    _ = translator(lang)
    row, installed = finding.row, finding.installed
    level = _("warning") if finding.level == "warning" else _("remark")
    place = f":{installed.line}" if installed.line else ""
    yield f"  {level}: {installed.name} {installed.release}{place}: {row['title'][lang]}"
    if finding.kind == "defect":
        yield "    " + _("free of it from {release} on").format(release=row["first_fixed"])
    else:
        yield "    " + _("so from {release} on").format(release=row["first_bad"])
    if row["note"]:
        yield f"    {row['note'][lang]}"
    if row["sure"] != "executed":
        unsure = _SURE[row["sure"]]
        yield "    " + _(unsure)
    yield f"    fixbook show {row['entry']}"


def _summary(audit: Audit, lang: Lang) -> Iterator[str]:
    _ = translator(lang)
    count = len(audit.defects)
    said = ngettext("{count} known defect", "{count} known defects", count)
    parts = [said.format(count=count) if count else _("no known defect found")]
    listed = len(audit.inventory.found)
    parts.append(
        _("{about} of {listed} packages are in the book").format(
            about=len(audit.about), listed=listed
        )
    )
    if audit.never:
        parts.append(
            _("on the release of {count} of these no step has run").format(count=len(audit.never))
        )
    if audit.inventory.open:
        parts.append(
            _("{count} without a release to compare").format(count=len(audit.inventory.open))
        )
    yield _("; ").join(parts)


def as_json(audits: Sequence[Audit], lang: Lang) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "lists": [
            {
                "source": audit.inventory.source,
                "kind": audit.inventory.kind,
                "packages": len(audit.inventory.found),
                "in_the_book": len(audit.about),
                "never_executed": [f"{one.name}=={one.release}" for one in audit.never],
                "open": blank(audit.inventory.open),
                "findings": [_row(one, lang) for one in audit.findings],
                "not_known": [
                    {"entry": row["entry"], "package": one.name, "installed": one.release}
                    for one, row in audit.unsure
                ],
            }
            for audit in audits
        ],
    }


def _row(finding: Finding, lang: Lang) -> dict[str, Any]:
    row = finding.row
    return {
        "entry": row["entry"],
        "kind": finding.kind,
        "level": finding.level,
        "package": finding.installed.name,
        "installed": finding.installed.release,
        "line": finding.installed.line or None,
        "last_good": row["last_good"],
        "first_bad": row["first_bad"],
        "first_fixed": row["first_fixed"],
        "sure": row["sure"],
        "began": row["began"],
        "what": row["title"][lang],
        "summary": row["summary"][lang],
        "note": row["note"][lang] if row["note"] else None,
        "reference": row["url"],
    }


def as_sarif(audits: Sequence[Audit], lang: Lang) -> dict[str, Any]:
    """Return the report as SARIF 2.1.0; what this environment has stands in no file."""
    rows = {one.row["entry"]: one.row for audit in audits for one in audit.findings}
    rules = [
        {
            "id": name,
            "shortDescription": {"text": row["title"][lang]},
            "fullDescription": {"text": row["summary"][lang]},
            **({"helpUri": address} if (address := entry_address(name, lang)) else {}),
        }
        for name, row in sorted(rows.items())
    ]
    results = [_result(finding, audit, lang) for audit in audits for finding in audit.findings]
    driver = {"name": "fixbook", "version": __version__, "rules": rules}
    runs = [
        {
            "tool": {"driver": driver},
            "invocations": [{"executionSuccessful": True}],
            "results": results,
        }
    ]
    return {"$schema": _SARIF, "version": "2.1.0", "runs": runs}


def _result(finding: Finding, audit: Audit, lang: Lang) -> dict[str, Any]:
    place: dict[str, Any] = {}
    if audit.inventory.source not in {ENVIRONMENT, "-"}:
        uri = quote(audit.inventory.source, errors="surrogateescape")
        region = {"region": {"startLine": max(1, finding.installed.line)}}
        location = {"physicalLocation": {"artifactLocation": {"uri": uri}, **region}}
        place = {"locations": [location]}
    lines = [line.strip() for line in _finding(finding, lang)]
    return {
        "ruleId": finding.row["entry"],
        "level": finding.level,
        "message": {"text": " ".join(lines)},
        **place,
        "properties": _row(finding, lang),
    }
