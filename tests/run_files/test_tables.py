"""Event files, states, tables and dumps: torn ones, foreign ones, and those that mean harm."""

from __future__ import annotations

import json
import math
import pickle
import struct
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.run_files.csv_files import csv_rows
from fixbook.run_files.events import NoEventFileError, event_rows
from fixbook.run_files.json_files import holds_rows, line_rows, state_rows
from fixbook.run_files.ranks import judge_dumps
from fixbook.run_files.recorder import dumps_in
from fixbook.run_files.run import run_in
from fixbook.run_files.walk import files_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MADE = Path(__file__).with_name("runs.tar.gz")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    with tarfile.open(MADE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "not-a-number"


def event_file(run: Path) -> Path:
    (found,) = run.rglob("events*")
    return found


def test_an_event_file_says_what_the_state_says(run: Path) -> None:
    state = state_rows(run / "trainer_state.json", [])
    events = list(event_rows(event_file(run)))
    steps = [row.step for row in state if "loss" in row.values]
    assert [row.step for row in events if "loss" in row.values] == steps == list(range(1, 13))
    first = next(row for row in events if "loss" in row.values)
    assert first.values["loss"] == pytest.approx(state[0].values["loss"], rel=1e-6)
    assert math.isnan(next(row for row in events if row.step == 5).values["grad_norm"])


def test_an_event_file_that_a_kill_has_torn(run: Path, tmp_path: Path) -> None:
    whole = event_file(run).read_bytes()
    rows = [row.step for row in event_rows(event_file(run))]
    path = tmp_path / "events.out.tfevents.1"
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        found = [row.step for row in event_rows(path)]
        assert found == rows[: len(found)]


def test_an_event_file_with_other_bytes(run: Path, tmp_path: Path) -> None:
    whole = event_file(run).read_bytes()
    path = tmp_path / "events.out.tfevents.1"
    for at in range(0, len(whole), 61):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            assert len(list(event_rows(path))) <= 40
        except NoEventFileError:
            assert at < 12


@pytest.mark.parametrize("data", [b"x" * 100, struct.pack("<QI", 2**60, 0), bytes(64)])
def test_what_is_no_event_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "events.out.tfevents.1"
    path.write_bytes(data)
    with pytest.raises(NoEventFileError):
        list(event_rows(path))
    notes: list[str] = []
    assert run_in(tmp_path, notes, lambda _n: None) is None
    assert "no event file" in notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"log_history": ' + "[" * 200_000,
        '{"log_history": [{"loss": ' + "9" * 10_000 + "}]}",
        '{"log_history": [{"loss": 1.0}',
        "\x00\xff",
    ],
)
def test_states_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trainer_state.json"
    path.write_text(text, "utf-8")
    notes: list[str] = []
    assert state_rows(path, notes) == []
    assert len(notes) == 1
    assert "not read" in notes[0]


@pytest.mark.parametrize(
    "state",
    [[], 1, None, {}, {"log_history": 1}, {"log_history": {}}, {"log_history": [1, {}, [{}]]}],
)
def test_states_without_rows(tmp_path: Path, state: Any) -> None:
    path = tmp_path / "trainer_state.json"
    path.write_text(json.dumps(state), "utf-8")
    assert state_rows(path, []) == []


def test_a_bare_nan_and_numbers_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "trainer_state.json"
    path.write_text('{"log_history": [{"loss": "0", "grad_norm": NaN, "step": 4}]}', "utf-8")
    (row,) = state_rows(path, [])
    assert (row.step, row.values["loss"]) == (4, 0)
    assert math.isnan(row.values["grad_norm"])


def test_lines_of_llama_factory_and_of_a_data_set(tmp_path: Path) -> None:
    log, data = tmp_path / "trainer_log.jsonl", tmp_path / "data.jsonl"
    row = {"current_steps": 5, "total_steps": 9, "loss": 1.5, "lr": 1e-5, "epoch": 0.1}
    log.write_text("not json\n" + json.dumps(row) + "\n" + "[" * 60_000 + "\n{", "utf-8")
    data.write_text(json.dumps({"text": "a", "label": 0}) + "\n", "utf-8")
    (found,) = line_rows(log)
    assert (found.step, found.line, found.values["learning_rate"]) == (5, 2, 1e-5)
    assert (holds_rows(log), holds_rows(data)) == (True, False)


def test_predictions_with_a_loss_each_are_no_training(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": 1, "loss": NaN}\n' * 9, "utf-8")
    assert run_in(tmp_path, [], lambda _n: None) is None


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("step,train/loss,lr\n1,nan,0.1\n2,nan,0.1\n3,na", [1, 2]),
        ("epoch,step,val\n1,2,3\n", []),
        ("", []),
        ("\x00\x00", []),
        ('step,loss\n1,"' + "x" * 300_000, []),
    ],
)
def test_tables(tmp_path: Path, text: str, steps: Sequence[int]) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(text, "utf-8")
    assert [row.step for row in csv_rows(path)] == steps


def dumps_of(folder: Path) -> tuple[list[str], list[str]]:
    notes: list[str] = []
    return [one.rule for one in judge_dumps(dumps_in(files_of(folder, []), notes))], notes


@pytest.mark.parametrize("kind", ["pickle", "json"])
@pytest.mark.parametrize(
    "said",
    [
        [1],
        {"entries": [1], "pg_config": {}},
        {"entries": 1, "pg_config": 1},
        {"entries": [{"process_group": []}], "pg_config": {}},
        {"entries": [{"process_group": ["0"], "collective_seq_id": "x"}], "pg_config": {}},
        {"entries": [], "pg_config": {"0": 1}, "pg_status": {"0": {}}},
    ],
)
def test_dumps_that_are_none(tmp_path: Path, said: Any, kind: str) -> None:
    for rank in range(2):
        data = pickle.dumps(said, 4) if kind == "pickle" else json.dumps(said).encode()
        name = f"trace_rank_{rank}" + (".json" if kind == "json" else "")
        (tmp_path / name).write_bytes(data)
    assert dumps_of(tmp_path)[0] == []


def test_dumps_cut_short_are_said(run: Path, tmp_path: Path) -> None:
    for path in (run.parent / "dumps-rank-missing").glob("trace_rank_?"):
        (tmp_path / path.name).write_bytes(path.read_bytes()[:-200])
    rules, notes = dumps_of(tmp_path)
    assert rules == []
    assert len(notes) == 3


def test_a_rank_that_left_no_dump(run: Path, tmp_path: Path) -> None:
    for rank in (0, 2):
        path = run.parent / f"dumps-same/trace_rank_{rank}"
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert dumps_of(tmp_path)[0] == ["rank-silent"]
