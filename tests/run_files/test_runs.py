"""Folders that real libraries left: what is found in each, and that healthy ones stay quiet."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from fixbook.cli import cli
from fixbook.run_files.run import run_in

if TYPE_CHECKING:
    from collections.abc import Sequence

MADE = Path(__file__).with_name("runs.tar.gz")
NAN, ADAPTER = "nan-loss-fp16", "adapter-without-gradients-trains-on"
FOUND = {
    "healthy": [],
    "lora": [],
    "lora-cut-off": ["lora-b-zero"],
    "no-labels": ["loss-and-gradient-zero", "weights-equal"],
    "not-a-number": ["gradient-not-finite", "weights-not-finite"],
    "other-optimizer": ["weights-equal"],
    "no-rate": ["learning-rate-zero", "weights-equal"],
    "no-metric": ["evaluation-without-metric"],
    "dumps-rank-missing": ["rank-missing"],
    "dumps-other-call": ["ranks-differ"],
    "dumps-other-size": ["ranks-differ"],
    "dumps-same": [],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    with tarfile.open(MADE) as archive:
        archive.extractall(folder, filter="data")
    return folder


def rules_in(folder: Path) -> list[str]:
    notes: list[str] = []
    run = run_in(folder, notes, lambda _size: None)
    assert run is not None
    assert notes == []
    return [found.rule for found in run.findings]


def diagnose(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["diagnose", *arguments], standalone_mode=False)
    assert result.exception is None
    return result.return_value, result.stdout


def answer(folder: Path, *arguments: str) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(diagnose(str(folder), "--json", *arguments)[1])
    return row


@pytest.mark.parametrize(("name", "rules"), FOUND.items())
def test_what_a_run_shows(runs: Path, name: str, rules: Sequence[str]) -> None:
    assert rules_in(runs / name) == rules


@pytest.mark.parametrize("kind", ["trainer_state.json", "events*", "checkpoint-*", "*.json"])
def test_each_kind_of_file_is_enough_alone(runs: Path, tmp_path: Path, kind: str) -> None:
    rules = set()
    for number, path in enumerate(sorted((runs / "not-a-number").rglob(kind))):
        place = tmp_path / "checkpoint-12" / str(number)
        if path.is_dir():
            place = tmp_path / path.name
            place.mkdir()
            for one in path.glob("*.safetensors"):
                (place / one.name).write_bytes(one.read_bytes())
        elif path.name.startswith("events"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
        elif path.name == "trainer_state.json":
            place.mkdir(parents=True)
            (place / path.name).write_bytes(path.read_bytes())
    rules = set(rules_in(tmp_path))
    assert rules == {"weights-not-finite" if kind == "checkpoint-*" else "gradient-not-finite"}


@pytest.mark.parametrize(
    ("name", "kind", "owner", "code"),
    [
        ("lora-cut-off", "entry", ADAPTER, 0),
        ("no-labels", "entry", NAN, 0),
        ("not-a-number", "entry", NAN, 0),
        ("no-metric", "entry", "trainer-best-metric-missing", 0),
        ("dumps-rank-missing", "symptom", "collective-timeout", 4),
        ("dumps-other-size", "symptom", "collective-mismatch", 4),
        ("other-optimizer", "unknown", None, 5),
        ("healthy", "unknown", None, 5),
    ],
)
def test_the_answer(runs: Path, name: str, kind: str, owner: str | None, code: int) -> None:
    row = answer(runs / name)
    found = row["answer"] or {}
    assert (row["kind"], found.get("slug") or found.get("symptom")) == (kind, owner)
    assert diagnose(str(runs / name))[0] == code


def test_a_fix_is_chosen_by_the_values(runs: Path) -> None:
    fixes = {name: answer(runs / name)["answer"]["fixes"][0] for name in ("no-labels",)}
    assert (fixes["no-labels"]["id"], fixes["no-labels"]["standing"]) == ("drop-empty-rows", "met")


def test_the_missing_rank_and_its_line(runs: Path) -> None:
    row = answer(runs / "dumps-rank-missing")
    assert row["answer"]["rank"] == 1
    (finding,) = row["run"]["findings"]
    assert finding["text"].startswith("rank 1 never called collective 4, gloo:all_reduce")
    assert "make_runs.py:" in finding["text"]


def test_dumps_of_two_nodes_are_compared_with_each_other(runs: Path, tmp_path: Path) -> None:
    """Each node has a folder of its own: alone, the ranks of the other seem to have left none."""
    one, two = tmp_path / "one", tmp_path / "two"
    for node, ranks in ((one, "02"), (two, "1")):
        node.mkdir()
        for rank in ranks:
            said = (runs / f"dumps-rank-missing/trace_rank_{rank}").read_bytes()
            (node / f"trace_rank_{rank}").write_bytes(said)
    assert rules_in(one) == ["rank-silent"]
    row = answer(one, str(two))
    assert [found["rule"] for found in row["run"]["findings"]] == ["rank-missing"]
    assert row["answer"]["rank"] == 1
    # A rank that is there twice is one of two runs: each is judged by itself.
    again = answer(runs / "dumps-rank-missing", str(one))["run"]["findings"]
    assert {found["rule"] for found in again} == {"rank-missing", "rank-silent"}


def test_what_no_file_tells_is_listed_with_its_check(runs: Path) -> None:
    row = answer(runs / "other-optimizer")
    assert ADAPTER in [one["slug"] for one in row["run"]["inside"]]
    assert "[ddp-gradients-differ-silently]" in diagnose(str(runs / "healthy"))[1]


def test_it_is_said_in_chinese(runs: Path) -> None:
    said = diagnose(str(runs / "other-optimizer"), "--lang", "zh")[1]
    assert "checkpoint-6 和 checkpoint-12 的全部" in said


def test_what_the_log_says_comes_first(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "trainer_state.json").write_bytes(
        (runs / "not-a-number/trainer_state.json").read_bytes()
    )
    log = tmp_path / "train.log"
    log.write_text("ValueError: something of ours\n", "utf-8")
    unknown = answer(tmp_path)
    assert (unknown["kind"], unknown["exception"]["certain"]) == ("unknown", True)
    assert unknown["run"]["findings"][0]["entries"][0]["slug"] == NAN
    log.write_text("step 7\n", "utf-8")
    assert answer(tmp_path)["answer"]["slug"] == NAN


def test_a_message_of_other_causes_stays_the_answer(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "trainer_state.json").write_bytes(
        (runs / "not-a-number/trainer_state.json").read_bytes()
    )
    log = "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4)\n"
    (tmp_path / "train.log").write_text(log, "utf-8")
    row = answer(tmp_path)
    assert (row["kind"], row["answer"]["symptom"]) == ("symptom", "collective-timeout")


def test_the_recorders_say_for_whom_a_timeout_waited(runs: Path, tmp_path: Path) -> None:
    """The rank that reports it waits; the dumps beside it, as NCCL names them, know the other."""
    for path in (runs / "dumps-rank-missing").glob("trace_rank_?"):
        said = path.read_bytes().replace(b"gloo:all_reduce", b"nccl:all_reduce")
        (tmp_path / f"nccl_{path.name}").write_bytes(said)
    log = "[rank0]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4)\n"
    (tmp_path / "train.log").write_text(log, "utf-8")
    row = answer(tmp_path)
    assert (row["kind"], row["answer"]["symptom"]) == ("symptom", "collective-timeout")
    assert row["answer"]["rank"] == 1
    assert row["answer"]["text"].startswith("rank 1 never called collective 4, nccl:all_reduce")
    assert "collective-timeout" not in [one.get("symptom") for one in row["runner_ups"]]


def test_a_message_with_this_cause_is_decided(runs: Path, tmp_path: Path) -> None:
    tensors = (runs / "lora-cut-off/checkpoint-12/adapter_model.safetensors").read_bytes()
    (tmp_path / "checkpoint-12").mkdir()
    (tmp_path / "checkpoint-12/adapter_model.safetensors").write_bytes(tensors)
    log = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn\n"
    (tmp_path / "train.log").write_text(log, "utf-8")
    row = answer(tmp_path)
    assert (row["kind"], row["answer"]["slug"]) == ("entry", ADAPTER)
    assert row["runner_ups"][0]["symptom"] == "does-not-require-grad"


def test_a_folder_of_logs_alone_is_answered_as_before(tmp_path: Path) -> None:
    (tmp_path / "rank0.log").write_text("{'loss': '0', 'grad_norm': 'nan',}\n" * 4, "utf-8")
    alone = answer(tmp_path)
    assert "run" not in alone
    assert alone["answer"]["line"] == 1


def test_secrets_in_what_was_found_are_taken_out(tmp_path: Path) -> None:
    token = "hf_" + "aB3dE5fG7h" * 3 + "aB3d"
    frame = {"filename": f"/home/u/{token}/train.py", "line": 3, "name": "step"}
    entry = {
        "process_group": ["0", ""],
        "profiling_name": "nccl:all_reduce",
        "frames": [frame],
        "input_sizes": [[4]],
        "is_p2p": False,
        "state": "scheduled",
    }
    for rank in range(3):
        entries = [entry | {"collective_seq_id": number} for number in range(1, 4 - (rank == 1))]
        said = {"pg_config": {"0": {"ranks": "[0, 1, 2]"}}, "entries": entries}
        (tmp_path / f"nccl_trace_rank_{rank}.json").write_text(json.dumps(said), "utf-8")
    code, said_text = diagnose(str(tmp_path))
    assert code == 4
    assert "never called collective 3" in said_text
    assert token not in said_text + json.dumps(answer(tmp_path))
