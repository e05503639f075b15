"""The exception itself is the answer where the book only knows who noticed it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from bench.broken_jobs import broken_jobs, is_right, logs
from fixbook.cli.diagnose import command
from fixbook.log.libraries import libraries, library_of
from fixbook.log.next_steps import next_steps, phrases, question_rows, when
from fixbook.repository import REPOSITORY_VARIABLE
from generator.browser.pattern import javascript_of_own
from tests.real_book import real_finder

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.log.finder import Finder

FRAMES = """\
[rank2]: Traceback (most recent call last):
[rank2]:   File "/home/ann/train.py", line 41, in main
[rank2]:     loss = model(x)
[rank0]: step 7 loss 2.5
[rank2]:   File "/v/lib/python3.11/site-packages/peft/peft_model.py", line 9, in forward
[rank2]:     return self.base(x)
"""
ERROR = "[rank2]: ValueError: adapter 7 is not loaded"
# What the launcher, the others and the engines say once a rank has failed.
NOTICED = (
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
    "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 2",
    "[rank0]: RuntimeError: [../gloo/pair.cc:534] Connection closed by peer [10.0.0.1]:1",
    "[rank1]:[E ProcessGroupNCCL.cpp:629] [Rank 1] Watchdog caught collective operation timeout:",
    "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s):",
    "Fatal Python error: Aborted",
)


@pytest.fixture(scope="module")
def finder() -> Finder:
    return real_finder()


@pytest.mark.parametrize("line", NOTICED)
def test_who_only_noticed_is_a_remark(finder: Finder, line: str) -> None:
    alone = finder.diagnosis(line)
    assert alone.best
    assert alone.best.secondary
    found = finder.diagnosis(f"{FRAMES}{ERROR}\n{line}\n")
    assert found.best is None
    assert found.exception
    assert (found.exception.line.number, found.exception.line.rank) == (7, 2)
    assert found.exception.user
    assert found.exception.user.code == "loss = model(x)"
    assert found.exception.library == "peft"
    assert found.matches[0].owner == alone.best.owner


def test_a_traceback_below_its_announcement_is_the_headline(finder: Finder) -> None:
    engine = "(EngineCore_0 pid=1) ERROR 10-25 13:08:43 [core.py:708] EngineCore failed to start."
    found = finder.diagnosis(f"{engine}\n{FRAMES}{ERROR}\n".replace("[rank2]: ", ""))
    assert found.best is None
    assert found.exception
    assert found.exception.kind == "ValueError"
    chained = (
        "[rank0]: RuntimeError: Connection closed by peer [10.0.0.1]:1\n[rank0]: \n[rank0]: During "
        "handling of the above exception, another exception occurred:\n[rank0]: \n[rank0]: "
        "Traceback (most recent call last):\n[rank0]: ValueError: no gradient\n"
    )
    best = finder.diagnosis(chained).best
    assert best
    assert best.owner == "connection-closed-by-peer"


def test_an_entry_stays_and_tells_where(finder: Finder) -> None:
    oom = "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3"
    found = finder.diagnosis(f"[rank1]: ValueError: x\n{FRAMES}{oom}\n")
    assert found.best
    assert found.best.owner == "out-of-memory"
    assert found.exception
    assert found.exception.user
    assert found.exception.user.line == 41


def test_broken_jobs_are_headlined_by_the_rank_that_failed(finder: Finder) -> None:
    texts = logs()
    jobs = broken_jobs()
    assert len(jobs) >= 30
    right = [
        job for job in jobs if is_right(job, texts[job.name], finder.diagnosis(texts[job.name]))
    ]
    wrong = sorted({job.name for job in jobs} - {job.name for job in right})
    assert len(right) >= 0.9 * len(jobs), wrong
    assert {job.rank for job in jobs} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("/v/lib/python3.11/site-packages/torch/nn/f.py", "torch"),
        ("C:\\env\\lib\\site-packages\\peft\\a.py", "peft"),
        ("/x/site-packages/bitsandbytes-0.38.1-py3.10.egg/bitsandbytes/nn.py", "bitsandbytes"),
        ("/sgl-workspace/sglang/python/sglang/srt/scheduler.py", "sglang"),
        ("torch/distributed/checkpoint/utils.py", "torch"),
        ("/usr/lib/python3.11/json/decoder.py", "python"),
        ("<frozen importlib._bootstrap>", "python"),
        ("/v/bin/torchrun", "python"),
        ("/home/ann/vllm/serve.py", ""),
        ("train.py", ""),
        ("Cell In[3]", ""),
    ],
)
def test_library_of(path: str, library: str) -> None:
    assert library_of(path) == library


def test_libraries_name_repositories() -> None:
    assert len(libraries()) >= 25
    for one in libraries().values():
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", one.repo), one.name
        assert not one.docs or one.docs.startswith("https://"), one.name


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x63 and 64x8)",
         ["RuntimeError: mat1 and mat2 shapes cannot be multiplied"]),
        ("OSError: [Errno 28] No space left on device: '/data/run 7/x.pt'",
         ["No space left on device"]),
        ("AttributeError: 'X' object has no attribute 'get_max_length'",
         ["object has no attribute", "get_max_length"]),
        ("KeyError: 'messages'", ["KeyError: messages"]),
    ],
)  # fmt: skip
def test_values_of_a_run_are_not_searched(finder: Finder, text: str, searched: list[str]) -> None:
    card = finder.diagnosis(text).exception
    assert card
    steps = next_steps(card, "en")
    assert phrases(text, steps.blanked) == searched
    query = parse_qs(urlsplit(steps.search).query)["q"][0]
    assert query == " ".join(f'"{phrase}"' for phrase in searched)
    assert len(query) <= 256


def test_questions_fit_and_are_few(finder: Finder) -> None:
    for row in question_rows():
        javascript_of_own(when(row))
    card = finder.diagnosis(
        f"{FRAMES}[rank2]: RuntimeError: CUDA error: misaligned address"
    ).exception
    assert card
    asked = next_steps(card, "en").questions
    assert "CUDA_LAUNCH_BLOCKING" in asked[0]
    assert any("--nproc-per-node 1" in question for question in asked)
    assert 2 <= len(asked) <= 4


def test_the_command_reports_without_what_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REPOSITORY_VARIABLE, "https://example.org/a/b")
    log = tmp_path / "job.log"
    log.write_text(f"token hf_abcdefghijklmnop at 10.1.2.3\n{FRAMES}{ERROR}\n", "utf-8")
    told = CliRunner().invoke(command, ["--report", str(log)], standalone_mode=False)
    assert "### Fixbook's answer\n\nnot recognised" in told.stdout
    assert "ValueError: adapter 7 is not loaded" in told.stdout
    for private in ("hf_abc", "10.1.2.3", "/home/ann"):
        assert private not in told.output
    form = "https://example.org/a/b/issues/new?template=not-recognised.yml&title=ValueError"
    assert form in told.stderr
    as_data = CliRunner().invoke(command, ["--report", "--json", str(log)], standalone_mode=False)
    report = json.loads(as_data.stdout)
    free = re.compile(r"\d+(?: |%20)GiB(?: |%20)available")  # changes from one call to the next
    assert free.sub("", report["body"]) + "\n" == free.sub("", told.stdout)
    assert free.sub("", report["address"]) in free.sub("", told.stderr)
    as_json = CliRunner().invoke(command, ["--json", str(log)], standalone_mode=False)
    answer = json.loads(as_json.stdout)
    assert (answer["kind"], answer["answer"], answer["guesses"]) == ("unknown", None, [])
    assert answer["exception"]["user"]["function"] == "main"
    assert answer["next"]["repo"] == "huggingface/peft"
    assert as_json.return_value == 5


@pytest.mark.parametrize("options", [[], ["--json"], ["--report"], ["--report", "--json"]])
def test_nothing_that_is_printed_holds_a_secret(tmp_path: Path, options: list[str]) -> None:
    log = tmp_path / "job.log"
    secret = "LTAI5tAbcDefGhi123456789"  # noqa: S105  (made up)
    log.write_text(f"{FRAMES}ValueError: cannot sign in with {secret} password=hunter22\n", "utf-8")
    told = CliRunner().invoke(command, [*options, str(log)], standalone_mode=False)
    assert "cannot sign in with <token> password=<token>" in told.output
    assert secret not in told.output
    assert "hunter22" not in told.output
