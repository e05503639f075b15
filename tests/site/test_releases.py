"""Pages by release and the OSV records: out of boundaries and evidence alone."""

from __future__ import annotations

import copy
import datetime as dt
import importlib.metadata
import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from packaging.version import Version

from generator.exports.osv import PREFIX, osv_records
from generator.pages.releases import release_pages
from generator.text.guard import as_text
from generator.view.edition import Edition
from generator.view.releases import packages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.view.library import Library

SITE = "https://fixbook.test"


@pytest.fixture(scope="module")
def edition(real_library: Library) -> Edition:
    return Edition(real_library, "en", SITE)


@pytest.fixture(scope="module")
def records(real_library: Library) -> dict[str, dict[str, Any]]:
    return dict(osv_records(real_library, SITE))


def test_every_boundary_of_an_active_entry_stands_on_the_page_of_its_package(
    edition: Edition,
) -> None:
    texts = {page.path: as_text(page.text) for page in release_pages(edition)}
    for view in edition.views.values():
        for row in view.entry.boundary if view.entry.status == "active" else ():
            text = texts[f"releases/{row.package.lower().replace('_', '-')}/index.md"]
            for release in filter(None, (row.first_bad, row.first_fixed)):
                assert any(
                    f"`{release}`" in line and f"({'../../'}{view.slug}/index.md)" in line
                    for line in text.splitlines()
                ), (view.slug, release)


def test_silent_failures_stand_first_in_a_series(edition: Edition) -> None:
    series = [one for package in packages(edition).values() for one in package.series()]
    assert any(one.has_page for one in series)
    for one in series:
        silent = [change.silent for change in one.begins]
        assert silent == sorted(silent, reverse=True)


def test_first_release_that_breaks_code_has_a_page_of_its_series(edition: Edition) -> None:
    series = [one for package in packages(edition).values() for one in package.series()]
    paged = {one.slug for one in series if one.has_page}
    assert {"pytorch-lightning-2", "huggingface-hub-1", "datasets-4", "transformers-5"} <= paged
    assert not {one.slug for one in series if not one.begins} & paged


def test_silent_row_of_an_entry_that_raises_stands_before_its_others(edition: Edition) -> None:
    lightning = packages(edition)["pytorch-lightning"].series()[0]
    assert [one.silent for one in lightning.begins] == [True, False, False]


def test_name_no_executed_release_took_is_not_said_to_have_gone(edition: Edition) -> None:
    for package in packages(edition).values():
        for one in package.gone:
            names = one.view.entry.names
            assert names
            asked = [one.view.steps[step] for step in names.steps]
            takes = [
                row["does"]
                for step in asked
                for row in step.run.measures.get("names", [])
                if row["name"] == one.name
            ]
            assert {"takes", "warns", "drops"} & set(takes), (one.view.slug, one.name)
            assert "refuses" in takes


def test_records_are_valid_against_the_schema_of_osv(records: dict[str, dict[str, Any]]) -> None:
    validator = Draft202012Validator(
        osv_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    assert records
    for name, record in records.items():
        assert name == record["id"]
        assert [error.message for error in validator.iter_errors(record)] == []
    broken = copy.deepcopy(next(iter(records.values())))
    broken["affected"][0]["ranges"][0]["events"] = [{"fixed": "1.0"}]
    assert list(validator.iter_errors(broken))


def test_only_executed_defects_are_records(
    records: dict[str, dict[str, Any]], real_library: Library
) -> None:
    for record in records.values():
        entry = real_library.dossiers[record["id"].removeprefix(f"{PREFIX}-")].entry
        sure = {row.package for row in entry.boundary if row.sure == "executed" and row.first_fixed}
        for affected in record["affected"]:
            assert affected["package"]["name"] in {name.lower().replace("_", "-") for name in sure}
            begins, ends = (next(iter(one.values())) for one in events_of(affected))
            assert Version(begins) < Version(ends)
            free = set(affected["database_specific"]["free_on"])
            failed = affected["database_specific"]["failed_on"]
            for release in affected["versions"]:
                assert release in failed
                assert Version(begins) <= Version(release) < Version(ends)
            for release in free - set(failed):
                assert not Version(begins) <= Version(release) < Version(ends)


def test_a_record_says_when_its_steps_ran(records: dict[str, dict[str, Any]]) -> None:
    for record in records.values():
        assert dt.datetime.fromisoformat(record["modified"]).tzinfo


def events_of(affected: dict[str, Any]) -> Iterator[dict[str, str]]:
    for one in affected["ranges"]:
        yield from one["events"]


def osv_schema() -> dict[str, Any]:
    """Return OSV's own schema; its list of home databases, which has not ours, gets our prefix."""
    files = importlib.metadata.files("osv") or []
    path = next(one for one in files if str(one).endswith("validation/schema.json"))
    schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
    prefix = schema["$defs"]["prefix"]
    assert prefix["pattern"].startswith("^(")
    prefix["pattern"] = f"^({PREFIX}|" + prefix["pattern"].removeprefix("^(")
    return schema
