"""Recording merges: what ran replaces its record, the rest stays, and nothing goes in silence."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.cli import recording
from fixbook.cli.plan import Planned
from fixbook.cli.recording import Recorder, write
from fixbook.environment import machine
from fixbook.files import write_atomically
from fixbook.problem import BookError
from fixbook.recipe.process.outcome import Outcome
from fixbook.recipe.reading.digest import digests_of
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.evidence import machine_record
from fixbook.recipe.record.merging import merge
from fixbook.recipe.record.result import Status, StepResult, Verdict
from fixbook.recipe.record.seal import seal_holds
from fixbook.recipe.record.staleness import stale_steps
from fixbook.recipe.record.store import load_evidence, write_evidence

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book, BookEntry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import Evidence

HERE = machine_record(dataclasses.replace(machine(), gpus=()))


@pytest.fixture
def item(make_book: Callable[..., Book]) -> BookEntry:
    return make_book().get("widget-overflow")


@pytest.fixture
def outline(item: BookEntry) -> Outline:
    return read_outline(item.recipe)


def results(outline: Outline, status: Status = "passed", *names: str) -> list[StepResult]:
    outcome = Outcome(exit_code=0, signal=None, stopped=None, seconds=1.0, peak_mib=1.0, log="")
    return [
        StepResult(
            "widget-overflow",
            step,
            Verdict(status, "because"),
            None if status == "skipped" else outcome,
            {"size": 3},
            snippets=("detect",) if name == "mended" else (),
        )
        for name, step in outline.steps.items()
        if not names or name in names
    ]


def recorded(
    item: BookEntry, outline: Outline, found: list[StepResult], day: int, before: Evidence | None
) -> Evidence:
    when = dt.datetime(2026, 11, day, tzinfo=dt.UTC)
    write_evidence(item, merge(before, item, outline, found, HERE, when))
    return load_evidence(item)["cpu"]


def test_only_what_ran_is_replaced(item: BookEntry, outline: Outline) -> None:
    first = recorded(item, outline, results(outline), 20, None)
    assert stale_steps(item, outline, first) == {}
    second = recorded(item, outline, results(outline, "passed", "mended"), 21, first)
    days = {name: step.recorded[8:10] for name, step in second.steps.items()}
    assert days.pop("mended") == "21"
    assert set(days.values()) == {"20"}
    assert second.steps["mended"].snippets == {"detect": item.entry.snippets["detect"].digest}
    assert second.steps["mended"].control == "it-breaks"


def test_a_failure_or_a_skip_replaces_no_record(item: BookEntry, outline: Outline) -> None:
    first = recorded(item, outline, results(outline), 20, None)
    worse = [*results(outline, "failed", "mended"), *results(outline, "skipped", "shaken")]
    assert recorded(item, outline, worse, 21, first).steps == first.steps
    fresh = merge(None, item, outline, worse, HERE, dt.datetime(2026, 11, 21, tzinfo=dt.UTC))
    assert set(fresh.steps) == {"shaken"}
    assert stale_steps(item, outline, fresh)["shaken"] == "was skipped (because)"
    assert stale_steps(item, outline, None)["mended"] == "is not recorded"


def test_a_skip_that_the_machine_explains_hides_nothing_behind_it(
    item: BookEntry, outline: Outline
) -> None:
    first, *others = outline.steps
    needs = dataclasses.replace(outline.steps[first].needs, on="cuda")
    asked = dataclasses.replace(outline.steps[first], needs=needs)
    gpu = dataclasses.replace(outline, steps=outline.steps | {first: asked})
    found = merge(
        None,
        item,
        gpu,
        results(gpu, "skipped", first),
        HERE,
        dt.datetime(2026, 11, 21, tzinfo=dt.UTC),
    )
    assert set(stale_steps(item, gpu, found)) == set(others)


def test_records_of_another_machine_say_so(item: BookEntry, outline: Outline) -> None:
    first = recorded(item, outline, results(outline), 20, None)
    other = HERE.model_copy(update={"cpu": "Another CPU"})
    when = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    second = merge(first, item, outline, results(outline, "passed", "mended"), other, when)
    assert second.machine == other
    assert second.steps["mended"].machine is None
    assert second.steps["shaken"].machine == HERE
    assert all(seal_holds(second, name) for name in second.steps)


def planned(item: BookEntry, outline: Outline, **changed: str) -> Planned:
    steps = list(outline.steps.values())
    return Planned(item, outline, digests_of(item, outline) | changed, steps, [])


def test_a_run_that_is_cut_off_has_recorded_what_ended(item: BookEntry, outline: Outline) -> None:
    recorder, one = Recorder("lab"), planned(item, outline)
    for number, result in enumerate(results(outline), 1):
        recorder.add(one, result)
        assert len(load_evidence(item)["lab"].steps) == number
    kept = load_evidence(item)["lab"]
    recorder.finish([one], results(outline))
    assert load_evidence(item)["lab"] == kept


def test_two_runs_that_record_at_once_keep_both_steps(
    item: BookEntry, outline: Outline, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, (first, second) = planned(item, outline), results(outline)[:2]
    other = threading.Thread(target=write, args=(one, [second], HERE))

    def merge_slowly(*args: Any) -> Evidence:
        monkeypatch.setattr(recording, "merge", merge)
        other.start()
        other.join(0.5)  # what was recorded before is read by now, and nothing is written yet
        return merge(*args)

    monkeypatch.setattr(recording, "merge", merge_slowly)
    write(one, [first], HERE)
    other.join()
    assert load_evidence(item)["cpu"].steps.keys() == {first.step.name, second.step.name}


def test_what_is_not_recorded_is_said(
    item: BookEntry, outline: Outline, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(one: Planned, found: list[StepResult]) -> str:
        recorder = Recorder("lab")
        for result in found:
            recorder.add(one, result)
        recorder.finish([one], found)
        return capsys.readouterr().err

    one = planned(item, outline)
    assert "recorded 5 of 5 steps" in said(one, results(outline))
    worse = [*results(outline, "failed", "mended"), *results(outline, "skipped", "shaken")]
    text = said(planned(item, outline, shaken="another"), worse)
    assert "mended not recorded: it failed; its record of 20" in text
    assert "shaken not recorded: its files changed during the run; its record of 20" in text
    assert "nothing to record" in text
    path = item.folder / "evidence" / "lab.json"
    data = json.loads(path.read_text("utf-8"))
    data["steps"]["gone"] = data["steps"]["mended"]
    path.write_text(json.dumps(data), "utf-8")
    assert "dropped, no longer in the recipe: gone" in said(one, [])
    assert "gone" not in load_evidence(item)["lab"].steps


def test_pinned_versions_count_on_the_cpu_alone(item: BookEntry, outline: Outline) -> None:
    header = '# /// script\n# dependencies = ["Own_Thing==3.1", "loose", "unused==1"]\n# ///'
    pinned = dataclasses.replace(outline, header=header)
    found = recorded(item, outline, results(outline), 20, None)

    def moved(**versions: str) -> Evidence:
        old = found.steps["mended"].model_copy(update={"versions": versions})
        return found.model_copy(update={"steps": found.steps | {"mended": old}})

    assert stale_steps(item, pinned, moved(loose="0.1", gone="1", **{"own-thing": "3.1+cpu"})) == {}
    older = moved(**{"own-thing": "3.0"})
    said = "the recipe asks for own-thing==3.1, recorded with 3.0"
    assert stale_steps(item, pinned, older) == {"mended": said}
    assert set(stale_steps(item, pinned, moved(**{"own-thing": "local build"}))) == {"mended"}
    named = older.model_copy(update={"machine": HERE.model_copy(update={"name": "h100"})})
    assert stale_steps(item, pinned, named) == {}


def test_what_is_installed_makes_no_record_stale(
    item: BookEntry, outline: Outline, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = recorded(item, outline, results(outline), 20, None)
    clicked = found.steps["mended"].model_copy(update={"versions": {"click": "8"}})
    elsewhere = found.model_copy(update={"steps": found.steps | {"mended": clicked}})
    monkeypatch.setattr("importlib.metadata.version", lambda _name: "0.1")
    assert stale_steps(item, outline, elsewhere) == {}


def test_evidence_of_an_earlier_release_is_stale_not_broken(
    item: BookEntry, outline: Outline
) -> None:
    found = recorded(item, outline, results(outline), 20, None)
    data = found.model_dump(mode="json") | {"digest": {"recipe": "0"}, "schema_version": 1}
    for step in data["steps"].values():
        del step["digest"], step["recorded"], step["versions"], step["machine"], step["snippets"]
    (item.folder / "evidence/cpu.json").write_text(json.dumps(data), "utf-8")
    assert set(stale_steps(item, outline, load_evidence(item)["cpu"])) == set(outline.steps)


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "first\r\n", mode=0o600)
    assert path.read_bytes() == b"first\r\n"
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_bytes() == b"first\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_skip_replaces_an_older_skip(item: BookEntry, outline: Outline) -> None:
    first = recorded(item, outline, results(outline, "skipped", "shaken"), 20, None)
    (later,) = results(outline, "skipped", "shaken")
    later = dataclasses.replace(later, verdict=Verdict("skipped", "another reason"))
    second = recorded(item, outline, [later], 21, first)
    assert second.steps["shaken"].reason == "another reason"
    assert second.steps["shaken"].recorded[8:10] == "21"


def test_running_again_with_the_same_result_changes_the_times_alone(
    item: BookEntry, outline: Outline
) -> None:
    first = recorded(item, outline, results(outline), 20, None)
    said = (item.folder / "evidence/cpu.json").read_text("utf-8")
    second = recorded(item, outline, results(outline), 21, first)
    assert (item.folder / "evidence/cpu.json").read_text("utf-8") == said
    assert {step.recorded[8:10] for step in second.steps.values()} == {"21"}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cpu.json", '"exit_code": 0', '"exit_code": 1'),
        ("cpu.runs.json", "2026-11-20T00", "2026-11-19T00"),
        ("cpu.runs.json", '"cores": ', '"cores": 1'),
    ],
)
def test_what_is_edited_in_either_file_breaks_a_seal(
    item: BookEntry, outline: Outline, file: str, old: str, new: str
) -> None:
    recorded(item, outline, results(outline), 20, None)
    path = item.folder / "evidence" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    edited = load_evidence(item)["cpu"]
    assert not all(seal_holds(edited, name) for name in edited.steps)


def test_evidence_without_its_times_is_damaged(item: BookEntry, outline: Outline) -> None:
    recorded(item, outline, results(outline), 20, None)
    (item.folder / "evidence/cpu.runs.json").unlink()
    with pytest.raises(BookError, match=r"Field required \(recorded\)"):
        load_evidence(item)


@pytest.mark.parametrize("file", ["cpu.json", "cpu.runs.json"])
@pytest.mark.parametrize(
    "text", ["[]", "3", '{"steps": []}', '{"steps": {"mended": 1}}', "[" * 9999]
)
def test_what_is_no_evidence_is_named(
    item: BookEntry, outline: Outline, file: str, text: str
) -> None:
    recorded(item, outline, results(outline), 20, None)
    (item.folder / "evidence" / file).write_text(text, "utf-8")
    with pytest.raises(BookError, match="is not evidence"):
        load_evidence(item)
