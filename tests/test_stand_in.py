"""GPUs that stand in: what the host decides is torch's own, and what a step forgets is found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.rehearsal.__main__ import KNOWN, for_gpus
from bench.rehearsal.page import Known, Row, failing, left_of, page, read, written
from fixbook.index.build import index_of
from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.helpers import NoStandInError, stand_in_libraries
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.result import Objection, Verdict
from fixbook.recipe.running.runner import run_step
from fixbook.recipe.running.stand_in import is_installed, places, without_a_card
from tests.conftest import RECIPE
from tests.real_book import usable_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book
    from fixbook.recipe.record.result import StepResult

    MakeBook = Callable[..., Book]

ROOT = Path(__file__).parents[1]
installed = pytest.mark.skipif(
    not is_installed(), reason="torch's build for CUDA is not there: make rehearse brings it"
)
HOST = """
    import os, ctypes, resource
    from fixbook.recipe.helpers.gpu import load
    from pathlib import Path
    load(Path(os.environ["FIXBOOK_GPU_LIBRARIES"]))
    import torch
    from fixbook.recipe.helpers.gpu.values import compute
    missing = []
    compute(missing.append)

    def said(run):
        try:
            return str(run())
        except RuntimeError as error:
            return f"{type(error).__name__}: {error}".splitlines()[0]

    def resident(run):
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before = peak()
        run()
        return peak() - before < 1 << 17  # kibibytes: an eighth of a gibibyte

    here, there = torch.ones(3), torch.ones(3, device="cuda")
    answers = {
        "sum": (there + there).sum().item(),
        "mismatch": said(lambda: here + there),
        "ordinal": said(lambda: torch.cuda.set_device(2)),
        "numpy": said(lambda: there.sum() + 1),
        "memory": said(lambda: torch.empty(1 << 31, dtype=torch.uint8, device="cuda")),
        "of the host": resident(lambda: torch.empty(1 << 29, dtype=torch.uint8, device="cuda")),
        "count": torch.cuda.device_count(),
        "masked": there[there > 0].shape[0],
        "pinned": here.pin_memory().is_pinned(),
    }
    launches = ctypes.CDLL(None).stand_in_calls
    before = launches(b"cudaLaunchKernel")
    there * 2
    answers["launches"] = launches(b"cudaLaunchKernel") - before
    state = torch.cuda.get_rng_state()
    drawn = torch.rand(4, device="cuda")
    torch.cuda.set_rng_state(state)
    answers["drawn again"] = bool((drawn == torch.rand(4, device="cuda")).all())
    torch.use_deterministic_algorithms(True)
    left = torch.nn.Linear(3, 3, device="meta").to_empty(device="cuda")
    answers["left empty"] = bool(left.weight.isnan().all())
    torch.use_deterministic_algorithms(False)
    linear = torch.nn.Linear(3, 3).cuda()
    linear(there).sum().backward()
    answers["gradient"] = linear.bias.grad.tolist()
    answers["lstm"] = (torch.nn.LSTM(3, 3).cuda()(there[None])[0].shape, missing)
    os.environ["FIXBOOK_GPU_ANSWERS"] = "cudaHostAlloc=2"
    answers["pinned refused"] = said(lambda: torch.empty(1 << 24).pin_memory())
    os.environ["FIXBOOK_GPU_ANSWERS"] = ""
    child = os.fork()
    if not child:
        os._exit(0 if "forked" in said(lambda: torch.ones(1, device="cuda")) else 1)
    answers["fork"] = os.waitpid(child, 0)[1]
    index = torch.tensor([7], device="cuda")
    torch.nn.Embedding(3, 3).cuda()(index)
    answers["assert"] = said(lambda: index.item())
    import json
    print(json.dumps(answers))
"""


@installed
def test_what_the_host_decides_is_torchs_own(tmp_path: Path) -> None:
    """Texts, memory, ordinals and forks; and the values that no kernel computed."""
    folder, libraries = places()
    first = [str(path) for path in (folder, ROOT) if path]
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(first),
        "FIXBOOK_GPU_LIBRARIES": str(libraries),
        "FIXBOOK_GPU_COUNT": "2",
        "FIXBOOK_GPU_MEMORY": str(1 << 30),
    }
    env.pop("CUDA_VISIBLE_DEVICES", None)
    script = tmp_path / "host.py"
    script.write_text(textwrap.dedent(HOST), "utf-8")
    done = subprocess.run(
        [sys.executable, script], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout.splitlines()[-1])
    assert answers.pop("mismatch").startswith("RuntimeError: Expected all tensors to be on the sa")
    assert answers.pop("memory").startswith("OutOfMemoryError: CUDA out of memory. Tried to alloc")
    assert answers.pop("pinned refused") == "AcceleratorError: CUDA error: out of memory"
    assert answers == {
        "sum": 6.0,
        "ordinal": "AcceleratorError: CUDA error: invalid device ordinal",
        "numpy": "tensor(4., device='cuda:0')",
        "of the host": True,
        "count": 2,
        "masked": 3,
        "pinned": True,
        "launches": 1,
        "drawn again": True,
        "left empty": True,
        "gradient": [1.0, 1.0, 1.0],
        "lstm": [[1, 3], ["aten._thnn_fused_lstm_cell.default"]],
        "fork": 0,
        "assert": "AcceleratorError: CUDA error: device-side assert triggered",
    }


def test_a_build_without_cuda_is_refused(tmp_path: Path) -> None:
    """Nothing is compiled for it."""
    with pytest.raises(NoStandInError, match="not built for CUDA"):
        stand_in_libraries(tmp_path, tmp_path / "cache")


# A step of a training loop; each mistake below is one that a CPU cannot notice.
LOOP = """def fill(mended=False, shaken=False):
    import torch
    from fixbook.recipe import device
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1).to(device())
    batch = torch.ones(2, 4, device=device())
    loss = model(batch).pow(2).mean()
    loss.backward()
    shown = loss.detach().cpu().numpy()
"""
SOUND = (
    RECIPE.replace("def fill(mended=False, shaken=False):\n", LOOP)
    .replace("@reproduce()", '@reproduce(on="any")')
    .replace(
        '@fix("mend-it", control="it-breaks")', '@fix("mend-it", control="it-breaks", on="any")'
    )
)
MISTAKES = {
    "a tensor left on the CPU": ("torch.ones(2, 4, device=device())", "torch.ones(2, 4)"),
    "the model on another device": (".to(device())", '.to("cpu")'),
    "a wrong ordinal": ("4, device=device())", "4, device=device().replace('a:0', 'a:1'))"),
    "no .cpu()": (".detach().cpu().numpy()", ".detach().numpy()"),
    "nothing on the card": ("device())", '"cpu")'),
}


def rehearsed(book: Book, name: str) -> StepResult:
    item = book.get("widget-overflow")
    step = read_outline(item.recipe).steps[name]
    return run_step(item, step, index_of(book), stands_in=True)


@installed
def test_a_sound_step_holds_on_a_gpu_that_stands_in(make_book: MakeBook) -> None:
    """And it has put something there."""
    result = rehearsed(make_book(recipe=SOUND), "mended")
    assert (result.verdict.status, result.device) == ("passed", "cuda"), result.log


@installed
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found(make_book: MakeBook, mistake: str) -> None:
    """Each ends well on a CPU."""
    before, after = MISTAKES[mistake]
    assert before in SOUND
    result = rehearsed(make_book(recipe=SOUND.replace(before, after)), "mended")
    assert result.verdict.status == "failed"


@installed
def test_a_wrong_message_is_found(make_book: MakeBook) -> None:
    """The text of an error is the one of the CUDA build."""
    raised = 'raise SystemExit("widget 7 overflowed")'
    wrong = SOUND.replace(raised, f"torch.cuda.set_device(9)\n        {raised}")
    result = rehearsed(make_book(recipe=wrong), "it-breaks")
    assert result.verdict.status == "failed"
    assert "invalid device ordinal" in result.log


def test_what_only_a_card_can_say_is_open(tmp_path: Path) -> None:
    """No value, no failure of a kernel, no compiled kernel: none of them speaks against a step."""
    records = tmp_path / "measures.jsonl"
    on_cuda, on_any = (Step("it", "fix", Needs(on=on)) for on in ("cuda", "any"))
    measured = Verdict("failed", "too slow", (Objection("measure", "too slow"),))
    crashed = Verdict("failed", "another end", (Objection("crash", "another end"),))
    silent = Verdict("failed", "", (Objection("no failure", ""), Objection("unrecognised", "")))
    assert without_a_card(on_cuda, measured, records, "").status == "skipped"
    assert without_a_card(on_any, measured, records, "").status == "failed"
    assert without_a_card(on_cuda, silent, records, "").status == "skipped"
    assert without_a_card(on_any, silent, records, "").status == "failed"
    assert without_a_card(on_cuda, crashed, records, "").status == "failed"
    assert without_a_card(on_cuda, crashed, records, "triton: no driver").status == "skipped"
    aborted = "what():  [enforce fail] Received data size doesn't match expected size"
    assert without_a_card(on_cuda, crashed, records, aborted).status == "skipped"
    assert without_a_card(on_any, crashed, records, aborted).status == "failed"
    records.write_text('{"rank": 0, "missing": "aten.flash"}\n', "utf-8")
    said = without_a_card(on_any, crashed, records, "")
    assert (said.status, said.reason) == ("skipped", "only a card can say: no values of aten.flash")
    assert without_a_card(on_any, Verdict("passed", ""), records, "").status == "passed"


def test_the_page_is_what_was_run(tmp_path: Path) -> None:
    """Counts are those of the rows, and nothing of it is typed."""
    rows = {
        "one/a": Row("any", "holds", "ran clean", left_of(2, ""), 30.0, "x", "now"),
        "one/b": Row("cuda", "fails", "a | b", "a | b", 30.0, "x"),
    }
    steps = {"any": {"one": 2, "two": 1}, "cpu": {"one": 4}, "cuda": {"one": 1}}
    kept = tmp_path / "rehearsal.json"
    known = Known(rows, steps, "now")
    kept.write_text(written(known), "utf-8")
    assert read(kept) == known
    text = page(read(kept))
    assert "| any | 2 | 3 | 1 | 0 | 0 | 2 |\n| cpu | 1 | 4 | 0 | 0 | 0 | 0 |" in text
    assert "| cuda | 1 | 1 | 0 | 0 | 1 | 0 |\n| all | 2 | 8 | 1 | 0 | 1 | 2 |" in text
    assert text.endswith("Not run, by entry: `one` 1, `two` 1.\n")
    assert "one after the other: 1 minutes. 1 of them ran before the code of these GPUs" in text
    assert r"fails: a \| b" in text
    assert "NCCL" in text
    assert list(failing(rows)) == ["one/b: a | b"]
    assert "assertion" in left_of(1, "stand-in: a kernel's assertion fails here")


def test_the_page_in_docs_is_written_from_what_is_known() -> None:
    """`make rehearse` writes both."""
    kept = ROOT / "docs/rehearsal.md"
    assert kept.read_text("utf-8") == page(read(kept.with_suffix(".json")))


@installed
@pytest.mark.recipes
def test_what_held_and_has_changed_still_holds() -> None:
    """At most three of them, those that changed since `make rehearse`; it takes the rest."""
    known, steps = read(KNOWN).rows, for_gpus(usable_book())
    changed = [
        job
        for name, (job, digest) in sorted(steps.items())
        if name in known and known[name].verdict == "holds" and known[name].digest != digest
    ]
    index = index_of(usable_book())
    found = [run_step(job.item, job.step, index, stands_in=True) for job in changed[:3]]
    assert [f"{one.slug}/{one.step.name}" for one in found if one.verdict.status == "failed"] == []
