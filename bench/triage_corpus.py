"""Make jobs for `bench.triage`: known failures, those of made-up libraries, healthy ones."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.finding import own_logs
from bench.healthy_logs import healthy_logs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.finding import Ask
    from fixbook.book import Book

HEALTHY, UNKNOWN = 0.6, 0.05
KINDS_UNKNOWN, KINDS_KNOWN = 40, 150
NODES, BAD_NODES, BAD_RATE = 120, ("node017", "node088"), 0.85
SHARD = 500  # jobs of one folder
_BEGAN = dt.datetime(2025, 11, 3, tzinfo=dt.UTC)
_PATH = re.compile(r"(?<![\w<])(?:/(?:home|root|workspace|data|mnt|opt|tmp)|<[\w ]+>)/[\w./-]+")
_OTHER_RELEASE = "<overlay>"  # the folder of a library that a step pins
_RANK = re.compile(r"\[rank(\d{1,4})\]")
_TIME = re.compile(r"\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d\b")
_WORDS = ("shard", "lease", "widget", "router", "bucket", "cursor", "ticket", "anchor", "beacon")
_FAULTS = (
    "cannot place {a} on {b} {n}",
    "{a} {n} was never released by {b}",
    "{b} refused {a} of {n} units: quota of {n} is spent",
    "lost the {a} of '{name}' after {n} tries",
    "{a} and {b} disagree about epoch {n}",
)


@dataclass(frozen=True, slots=True)
class Truth:
    """What is right for a job: an ask of the book, the number of a made-up kind, or neither."""

    ask: Ask | None = None
    unknown: int | None = None

    @property
    def failed(self) -> bool:
        """Whether the job is a failure."""
        return self.ask is not None or self.unknown is not None


class Corpus:
    """Jobs by lot; the same seed makes the same ones."""

    def __init__(self, book: Book, seed: int) -> None:
        self._lot = random.Random(seed)  # noqa: S311
        self._healthy = [text for _, text in healthy_logs() if len(text) > 3000]  # noqa: PLR2004
        by_kind: dict[str, list[Ask]] = {}
        for ask in own_logs(book):
            by_kind.setdefault(ask.name.partition("/")[0], []).append(ask)
        names = self._lot.sample(sorted(by_kind), min(KINDS_KNOWN, len(by_kind)))
        self._asks = [by_kind[name] for name in names]
        self.kinds = len(names)

    def write(self, folder: Path, jobs: int) -> dict[str, Truth]:
        """Write jobs and ``sacct.json``; return what is right, by number of the job.

        Args:
            folder: Where to.
            jobs: How many.
        """
        truths, told = {}, []
        for number in range(jobs):
            nodes = self._lot.sample(
                [f"node{n:03}" for n in range(NODES)], self._lot.choice((1, 2))
            )
            truth = self._truth(any(node in BAD_NODES for node in nodes))
            start = _BEGAN + dt.timedelta(hours=self._lot.uniform(0, 24 * 364))
            self._job(folder / f"{number // SHARD:03}", number, truth, nodes, start)
            told.append(_sacct(number, nodes, start, self._lot.uniform(0.2, 30), truth))
            truths[str(100_000 + number)] = truth
        (folder / "sacct.json").write_text(json.dumps({"jobs": told}), "utf-8")
        return truths

    def _truth(self, bad: bool) -> Truth:  # noqa: FBT001
        drawn = self._lot.random()
        if drawn < (1 - BAD_RATE if bad else HEALTHY):
            return Truth()
        if self._lot.random() < UNKNOWN / (1 - HEALTHY):
            return Truth(unknown=self._lot.randrange(KINDS_UNKNOWN))
        return Truth(ask=self._lot.choice(self._lot.choice(self._asks)))

    def _job(
        self, folder: Path, number: int, truth: Truth, nodes: list[str], start: dt.datetime
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        said = truth.ask.text if truth.ask else None
        if truth.unknown is not None:
            said = self._made_up(truth.unknown)
        if said is not None:
            said = _later(self._elsewhere(said), start)
        ranks = self._lot.choice((1, 2, 4))
        failing = self._lot.randrange(ranks)
        for rank in range(ranks):
            text = "".join(self._steps(start))
            if said is not None and rank == failing:
                text += said if said.endswith("\n") else said + "\n"
            node = nodes[rank * len(nodes) // ranks]
            path = folder / f"train-{100_000 + number}-{node}.r{rank}.out"
            path.write_text(text, "utf-8")

    def _steps(self, start: dt.datetime) -> Iterator[str]:
        """A part of a healthy log, and steps with times."""
        whole = self._lot.choice(self._healthy)
        at = whole.find("\n", self._lot.randrange(max(1, len(whole) - 20_000))) + 1
        yield f"{start:%Y-%m-%d %H:%M:%S} INFO begin\n"
        yield whole[at : whole.find("\n", at + self._lot.randrange(2_000, 16_000)) + 1]
        for step in range(self._lot.randrange(5, 60)):
            now = start + dt.timedelta(seconds=step)
            yield f"{now:%Y-%m-%d %H:%M:%S} INFO step {step} loss {self._lot.random():.4f}\n"

    def _elsewhere(self, text: str) -> str:
        """The same with other folders and ranks; a library's own path stays."""
        user = f"/home/u{self._lot.randrange(900)}/p{self._lot.randrange(90)}"
        further = 8 * self._lot.randrange(64)

        def moved(found: re.Match[str]) -> str:
            if "-packages/" in found[0]:
                return found[0]
            if found[0].startswith(_OTHER_RELEASE):
                return f"{user}/venv/lib/python3.11/site-packages{found[0][len(_OTHER_RELEASE) :]}"
            return f"{user}/{found[0].rpartition('/')[2]}"

        text = _RANK.sub(lambda found: f"[rank{int(found[1]) + further}]", text)
        return _PATH.sub(moved, text)

    def _made_up(self, kind: int) -> str:
        own = random.Random(kind)  # noqa: S311
        one, other = own.sample(_WORDS, 2)
        fault = _FAULTS[kind % len(_FAULTS)]
        library, function = f"lib{one}{kind}", f"{own.choice(('take', 'give', 'hold'))}_{other}"
        names = {"a": one, "b": other, "n": self._lot.randrange(9999)}
        said = fault.format(**names, name=f"job{self._lot.randrange(999)}")
        line = self._lot.randrange(10, 400)
        return (
            "Traceback (most recent call last):\n"
            f'  File "/home/me/train{line}.py", line {line}, in main\n    loop()\n'
            f'  File "/opt/venv/lib/python3.11/site-packages/{library}/core.py", line {80 + kind},'
            f" in {function}\n    raise {one.title()}Error(text)\n"
            f"{library}.errors.{one.title()}Error: {said}\n"
        )


def _later(text: str, start: dt.datetime) -> str:
    """The same at another time: what lay between two lines stays."""
    stamps = _TIME.findall(text)
    if not stamps:
        return text
    moved = start.replace(tzinfo=None) - dt.datetime.fromisoformat(min(stamps))

    def at(found: re.Match[str]) -> str:
        when = (dt.datetime.fromisoformat(found[0]) + moved).replace(microsecond=0)
        return when.isoformat(found[0][10])

    return _TIME.sub(at, text)


def _sacct(
    number: int, nodes: list[str], start: dt.datetime, hours: float, truth: Truth
) -> dict[str, Any]:
    began = int(start.timestamp())
    gpus = 8 * len(nodes)
    return {
        "job_id": 100_000 + number,
        "state": {"current": ["FAILED" if truth.failed else "COMPLETED"]},
        "nodes": ",".join(nodes),
        "time": {"start": began, "end": began + int(hours * 3600)},
        "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": gpus}]},
        "restart_cnt": 0,
    }
