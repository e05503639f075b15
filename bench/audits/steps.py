"""Which steps show that a finding is right, and the releases to run them on."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.installed.judge import standing
from fixbook.recipe.reading import entry_uses, needed_distributions, read_outline
from fixbook.recipe.record import load_evidence, releases_of, seen_on
from fixbook.versions import is_version, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import BookEntry
    from fixbook.installed.judge import Finding
    from fixbook.recipe.author import Step

MOST = 3  # steps of one finding
# What a release needs beside it of its own time: it comes from the list that is audited.
_TOGETHER = {
    "transformers": ("huggingface-hub", "tokenizers"),
    "peft": ("transformers", "huggingface-hub", "tokenizers"),
    "trl": ("transformers", "huggingface-hub", "tokenizers", "datasets"),
}


def recorded(item: BookEntry, finding: Finding) -> str:
    """Return the step whose record shows the failure on the very release; empty if there is none.

    Args:
        item: The entry.
        finding: What the audit says.
    """
    outline = read_outline(item.recipe)
    at = finding.installed.release.partition("+")[0]
    for evidence in load_evidence(item).values():
        for name, record in evidence.steps.items():
            step = outline.steps.get(name)
            if step is None or record.verdict != "passed" or not _shows(step):
                continue
            ran = {str(canonicalize_name(key)): one for key, one in releases_of(record).items()}
            if ran.get(finding.installed.name, "").partition("+")[0] == at:
                return name
    return ""


def between(item: BookEntry, finding: Finding) -> str:
    """Return an older and a newer release on which the failure was seen; empty if one lacks.

    Args:
        item: The entry.
        finding: What the audit says.
    """
    at = parse_version(finding.installed.release.partition("+")[0])
    for seen in seen_on(item.entry, read_outline(item.recipe), load_evidence(item)):
        if canonicalize_name(seen.package) == finding.installed.name:
            within = sorted(
                parse_version(one)
                for one in seen.failing
                if is_version(one) and standing(one, finding.row) == finding.kind
            )
            older, newer = [one for one in within if one <= at], [one for one in within if one > at]
            if older and newer:
                return f"{older[-1]} and {newer[0]}"
    return ""


def telling(item: BookEntry, finding: Finding, listed: Mapping[str, str]) -> Iterator[Step]:
    """Yield steps that import the package and name no release, on the release that is accused.

    A step that names a release says something of that one. Of a defect that ended before the pins,
    steps that fail on the pins say nothing: none is yielded.

    Args:
        item: The entry.
        finding: What the audit says.
        listed: Releases of the audited list, by package.
    """
    if finding.kind == "defect":
        return
    outline, package = read_outline(item.recipe), finding.installed.name
    uses = entry_uses(item, outline)
    plain = (
        step
        for step in outline.steps.values()
        if _shows(step)
        and not step.needs.versions
        and package
        in {canonicalize_name(name) for name in needed_distributions(outline, uses[step.name])}
    )
    for step in islice(plain, MOST):
        needs = replace(step.needs, versions=_releases(finding, listed), with_dependencies=True)
        yield replace(step, needs=needs)


def _shows(step: Step) -> bool:
    failing = step.kind == "reproduce" or (step.kind == "detect" and step.found is True)
    return failing and not step.needs.on.startswith("cuda")


def _releases(finding: Finding, listed: Mapping[str, str]) -> tuple[str, ...]:
    """Return what to install: the accused release first, then what goes with it."""
    package, release = finding.installed.name, finding.installed.release.partition("+")[0]
    beside = [name for name in _TOGETHER.get(package, ()) if name in listed]
    return (
        f"{package}=={release}",
        *(f"{name}=={listed[name].partition('+')[0]}" for name in beside),
    )
