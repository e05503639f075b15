"""A step for any device runs on the GPUs that a machine has, and its record says where it ran."""

from __future__ import annotations

import dataclasses
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.environment import Gpu, machine
from fixbook.recipe import backend, device
from fixbook.recipe.author.devices import DEVICE_VARIABLE
from fixbook.recipe.author.steps import Needs
from fixbook.recipe.process import allocation
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.standing import standing
from fixbook.recipe.running import capacity, needs, runner, start
from fixbook.recipe.running.devices import device_of, gpus_wanted
from tests.conftest import RECIPE
from tests.gating import recorded
from tests.test_runner import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

ANY = RECIPE.replace("@reproduce()", '@reproduce(on="any")')


@pytest.mark.parametrize(
    ("on", "ranks", "gpus", "expected"),
    [
        ("cpu", 1, 8, "cpu"),
        ("any", 1, 0, "cpu"),
        ("any", 1, 1, "cuda"),
        ("any", 2, 1, "cpu"),  # NCCL refuses two ranks on one card
        ("any", 2, 2, "cuda"),
        ("cuda", 1, 0, "cuda"),
        ("cuda>=2", 2, 8, "cuda"),
    ],
)
def test_each_rank_gets_a_gpu_or_none_does(on: str, ranks: int, gpus: int, expected: str) -> None:
    """Half of the ranks on a card would be another failure than the one on the page."""
    assert device_of(Needs(on=on, ranks=ranks), gpus) == expected


def test_how_many_gpus_a_step_takes() -> None:
    """What it names, or one a rank."""
    assert gpus_wanted(Needs(on="any", ranks=4)) == 4
    assert gpus_wanted(Needs(on="cuda>=2")) == 2
    assert gpus_wanted(Needs(on="cuda")) == 1


def test_a_recipe_asks_the_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names no device: what it gets is this rank's."""
    monkeypatch.delenv(DEVICE_VARIABLE, raising=False)
    assert (device(), backend()) == ("cpu", "gloo")
    monkeypatch.setenv(DEVICE_VARIABLE, "cuda")
    assert (device(), backend()) == ("cuda:0", "nccl")
    monkeypatch.setenv("LOCAL_RANK", "3")
    assert device() == "cuda:3"


def test_on_a_machine_without_gpus_it_runs_on_the_cpu(make_book: MakeBook) -> None:
    """And is recorded as a run of a CPU, as what it is."""
    book = recorded(make_book(recipe=ANY))
    item = book.get("widget-overflow")
    outline = read_outline(item.recipe)
    from fixbook.recipe.record import load_evidence  # noqa: PLC0415  (beside its one use)

    evidence = load_evidence(item)
    assert evidence["cpu"].steps["it-breaks"].device == "cpu"
    assert standing(item.entry, outline, evidence, {}) == ["failure-on-cpu"]
    steps = evidence["cpu"].steps
    on_card = steps["it-breaks"].model_copy(update={"device": "cuda"})
    moved = evidence["cpu"].model_copy(update={"steps": steps | {"it-breaks": on_card}})
    assert standing(item.entry, outline, {"h200": moved}, {}) == ["failure-on-gpu"]


@pytest.fixture
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of which the driver says that it has a card; there is none to allocate on."""
    card = Gpu("NVIDIA H200", 139.8, 139.0, "580.1")
    with_card = dataclasses.replace(machine(), gpus=(card,))
    for module in (runner, start, capacity):
        monkeypatch.setattr(module, "machine", lambda: with_card)
    monkeypatch.setattr(needs, "gpus", lambda: (card,))


@pytest.mark.usefixtures("one_gpu")
def test_a_step_that_leaves_the_gpu_empty_has_shown_nothing_of_it(make_book: MakeBook) -> None:
    """However well it ended: everything in it stayed on the CPU."""
    result = run(make_book(recipe=ANY), "it-breaks")
    assert result.device == "cuda"
    assert result.verdict.status == "failed"
    assert "allocated nothing there" in result.verdict.reason


@pytest.mark.usefixtures("one_gpu")
def test_what_differs_on_a_gpu_is_judged_there(make_book: MakeBook, entry: dict[str, Any]) -> None:
    """Another message, another figure: said beside the step, and held against the run."""
    there = {
        "text": {"zh": "报错不同", "en": "another message"},
        "fails": {"log": "device-side assert"},
    }
    entry["steps"]["it-breaks"]["on_cuda"] = there
    on_gpu = run(make_book(entry, recipe=ANY), "it-breaks")
    assert "does not hold 'device-side assert'" in on_gpu.verdict.reason


def test_an_allocation_is_noted_while_the_step_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before CUDA has started: asking for it would start it."""
    noted: list[Any] = []
    monkeypatch.setattr(
        allocation, "record_allocation", lambda peak, gpus: noted.append((peak, gpus))
    )
    state = SimpleNamespace(started=False, peak=0)
    cuda = SimpleNamespace(
        is_initialized=lambda: state.started,
        device_count=lambda: 2,
        max_memory_allocated=lambda gpu: state.peak * gpu,
    )
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))
    assert not allocation.noted()
    state.started = True
    assert not allocation.noted()
    state.peak = 512
    assert allocation.noted()
    assert noted == [(512, [1])]
