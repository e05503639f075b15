"""What another release showed: counted in the right column, compared with the last time."""

from __future__ import annotations

from pathlib import Path

from packaging.requirements import Requirement

from bench.reverify.known import Explained, explanations, told
from bench.reverify.page import Row, differences, outside, page, read, releases_of, written
from bench.reverify.selection import concerned
from fixbook.book import Boundary
from fixbook.recipe.reading import read_outline
from tests.real_book import real_book

ROOT = Path(__file__).parents[1]
DAY = "2026-11-24"
AS_SAID = Row("happens here", "", as_said=True, bounded=False, day=DAY)
BOUNDED = Row(
    "does not happen here", "it ends with exit code 0", as_said=False, bounded=True, day=DAY
)
CHANGED = Row(
    "does not happen here", "it ends with exit code 0", as_said=False, bounded=False, day=DAY
)
STOPPED = Row("stopped by another error", "ImportError", as_said=False, bounded=False, day=DAY)


def test_release_beyond_a_boundary_is_explained_by_it() -> None:
    begun = Boundary(package="peft", last_good="0.9.0", first_bad="0.10.0")
    ended = Boundary(package="peft", first_fixed="0.10.0")
    assert outside([begun], releases_of("peft==0.9.0"))
    assert not outside([begun], releases_of("peft==0.10.0"))
    assert outside([ended], releases_of("trl==0.1.0,peft==0.10.0"))
    assert not outside([ended], releases_of("peft==0.9.0"))
    assert not outside([begun], releases_of("trl==0.1.0"))


def test_what_is_known_of_a_step_counts_on_the_releases_it_names_alone() -> None:
    known = [Explained(("a/one",), Requirement("peft<0.10"), "because")]
    book = real_book()
    for name, step, state in (
        ("peft==0.9.0", "a/one", "explained"),
        ("trl==1.0,peft==0.9.0", "a/one", "explained"),
        ("peft==0.10.0", "a/one", "changed"),
        ("peft==0.9.0", "a/two", "changed"),
    ):
        assert told(CHANGED, step, name, book, known).state == state
    assert told(AS_SAID, "a/one", "peft==0.9.0", book, known).state == "as said"


def test_explanations_are_of_steps_that_are_there() -> None:
    """And each of them explains something that was seen."""
    seen = read(ROOT / "docs/reverify.json")
    for one in explanations():
        for step in one.steps:
            slug, _, name = step.partition("/")
            assert name in read_outline(real_book().entries[slug].recipe).steps
            rows = [rows[step] for rows in seen.values() if step in rows]
            assert any(row.why == one.why for row in rows), step


def test_page_counts_each_state_in_its_column_and_tells_only_what_is_not_as_said() -> None:
    rows = {
        "peft==0.9.0,accelerate==1.0.0": {
            "a/one": AS_SAID,
            "a/two": BOUNDED,
            "b/one": CHANGED,
            "c/one": STOPPED,
        }
    }
    text = page(rows)
    assert f"| peft 0.9.0, accelerate 1.0.0 | {DAY} | 3 | 4 | 1 | 1 | 0 | 1 | 1 |" in text
    assert "`a/one`" not in text
    assert "| `b/one` | changed | does not happen here: it ends with exit code 0 |" in text


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    rows = {"peft==0.9.0": {"a/one": AS_SAID, "b/one": CHANGED}}
    path = tmp_path / "reverify.json"
    assert read(path) == {}
    path.write_text(written(rows), "utf-8")
    assert read(path) == rows


def test_only_what_shows_something_else_than_last_time_is_a_difference() -> None:
    before, now = {"a/one": AS_SAID, "b/one": CHANGED}, {"a/one": CHANGED, "b/one": CHANGED}
    assert differences(before, now) == ["a/one: happens here → does not happen here"]


def test_a_step_with_releases_of_its_own_is_left_alone() -> None:
    chosen = {
        item.slug: steps for item, steps in concerned(real_book(), ["peft==0.17.1"], every=True)
    }
    assert chosen
    for slug, steps in chosen.items():
        declared = read_outline(real_book().entries[slug].recipe).steps
        assert {step.needs.versions for step in steps} == {("peft==0.17.1",)}
        assert not any(declared[step.name].needs.versions for step in steps)
    named = {item.slug for item, _ in concerned(real_book(), ["peft==0.17.1"])}
    assert named <= chosen.keys()


def test_a_package_without_a_pin_is_swapped_where_a_step_brings_its_newest() -> None:
    chosen = list(concerned(real_book(), ["trl==1.5.0"], every=True))
    assert chosen
    for item, steps in chosen:
        declared = read_outline(item.recipe).steps
        (own,) = {declared[step.name].needs.versions for step in steps}
        assert own[0].startswith("trl==")
        assert own != ("trl==1.5.0",)
        assert {step.needs.versions for step in steps} == {("trl==1.5.0",)}
