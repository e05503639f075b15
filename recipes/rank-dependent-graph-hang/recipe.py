"""Ranks that use different modules in one step wait for different collectives: backward hangs."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch.nn.parallel import DistributedDataParallel

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

if TYPE_CHECKING:
    from two_ranks import Schedule, ZeroRun

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from two_ranks import (  # noqa: E402
    SECONDS,
    WIDTH,
    Model,
    a_projector_each,
    images_everywhere,
    rank_1_has_text_only,
    same_kind_on_every_rank,
    start,
    train_ddp,
    train_zero,
)
from waits import (  # noqa: E402
    Loop,
    Watch,
    asked_for,
    asked_for_in_log,
    compare,
    from_every_rank,
    nodes_of,
)

UNEVEN = (3, 4)  # batches of rank 0 and of rank 1
RECORDED = {"TORCH_FR_BUFFER_SIZE": "1000"}  # switches torch's flight recorder on, gloo included

# --- DistributedDataParallel -------------------------------------------------------------------


@reproduce(on="cpu", ranks=2)
def ddp_one_rank_skips_the_projector() -> None:
    """Rank 1's reducer waits for gradients that never come; its next forward says so."""
    train_ddp(rank_1_has_text_only)


@reproduce(on="cpu", ranks=2)
def one_rank_has_an_extra_batch() -> None:
    """Rank 1 reduces gradients while rank 0 is already at the barrier: both wait."""
    train_ddp(images_everywhere, batches=UNEVEN)


@fix("touch-the-skipped-module", on="cpu", ranks=2)
def ddp_touches_the_projector() -> dict[str, Any]:
    """Every parameter receives a gradient, on rank 1 one of zeros."""
    return train_ddp(rank_1_has_text_only, touch=True)


@fix("find-unused-parameters", on="cpu", ranks=2)
def ddp_finds_unused_parameters() -> dict[str, Any]:
    """DDP looks for the unused parameters itself."""
    return train_ddp(rank_1_has_text_only, find_unused_parameters=True)


@fix("join-uneven-batches", on="cpu", ranks=2)
def ddp_joins_uneven_batches() -> dict[str, Any]:
    """Rank 0 answers the collectives of the batch it does not have."""
    return train_ddp(images_everywhere, batches=UNEVEN, join=True)


@non_fix("raise-the-timeout", on="cpu", ranks=2)
def wait_three_times_as_long() -> None:
    """The same failure, later."""
    train_ddp(images_everywhere, batches=UNEVEN, seconds=3 * SECONDS)


@non_fix("same-modality-alone", on="cpu", ranks=2, env={"TORCH_DISTRIBUTED_DEBUG": "INFO"})
def ddp_same_kind_on_every_rank() -> None:
    """The text step skips the projector on all ranks, which DDP does not accept either."""
    train_ddp(same_kind_on_every_rank)


@non_fix("debug-detail", on="cpu", ranks=2, env={"TORCH_DISTRIBUTED_DEBUG": "DETAIL"})
def ddp_with_debug_detail() -> None:
    """Not even the repaired training survives the setting."""
    train_ddp(rank_1_has_text_only, touch=True)


# The same with CUDA tensors. NCCL refuses two ranks on one device, so gloo carries them. The first
# kernels take a rank seconds to load, hence the longer timeout.
ON_CUDA: dict[str, Any] = {"device": "cuda:0", "seconds": 5 * SECONDS}


@reproduce(on="cuda", ranks=2)
def cuda_one_rank_skips_the_projector() -> None:
    """As on the CPU."""
    train_ddp(rank_1_has_text_only, **ON_CUDA)


@reproduce(on="cuda", ranks=2)
def cuda_one_rank_has_an_extra_batch() -> None:
    """As on the CPU."""
    train_ddp(images_everywhere, batches=UNEVEN, **ON_CUDA)


@fix("touch-the-skipped-module", on="cuda", ranks=2)
def cuda_touches_the_projector() -> dict[str, Any]:
    """As on the CPU."""
    return train_ddp(rank_1_has_text_only, touch=True, **ON_CUDA)


@fix("find-unused-parameters", on="cuda", ranks=2)
def cuda_finds_unused_parameters() -> dict[str, Any]:
    """As on the CPU."""
    return train_ddp(rank_1_has_text_only, find_unused_parameters=True, **ON_CUDA)


@fix("join-uneven-batches", on="cuda", ranks=2)
def cuda_joins_uneven_batches() -> dict[str, Any]:
    """As on the CPU."""
    return train_ddp(images_everywhere, batches=UNEVEN, join=True, **ON_CUDA)


# --- DeepSpeed ZeRO ----------------------------------------------------------------------------


@reproduce(on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_1_one_rank_skips_the_projector() -> None:
    """The ranks reduce buckets of different sizes; gloo aborts where NCCL waits."""
    start()
    train_zero(1, rank_1_has_text_only, Model("image"))


@reproduce(on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_2_one_rank_skips_the_projector() -> None:
    """As stage 1."""
    start()
    train_zero(2, rank_1_has_text_only, Model("image"))


@reproduce(on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_3_one_rank_skips_the_projector() -> None:
    """Rank 0 gathers the projector while rank 1 already gathers the language part."""
    start()
    train_zero(3, rank_1_has_text_only, Model("image"))


@reproduce(on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_3_backward_waits() -> None:
    """Where both parts have one size, forward passes unnoticed and backward waits."""
    start()
    train_zero(3, rank_1_has_text_only, Model("image", features=WIDTH))


@fix("touch-the-skipped-module", on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_touches_the_projector() -> dict[str, Any]:
    """All three stages, each compared with training on one process."""
    start()
    schedule: Schedule = rank_1_has_text_only
    runs = [train_zero(stage, schedule, Model("image"), touch=True) for stage in (1, 2, 3)]
    return {"stages": len(runs), "off_by": max(run.off_by for run in runs)}


@fix("same-modality-per-step", on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_1_and_2_same_kind_on_every_rank() -> dict[str, Any]:
    """In the text step no rank has a gradient for the projector, and none reduces one."""
    start()
    runs = [train_zero(stage, same_kind_on_every_rank, Model("image")) for stage in (1, 2)]
    return {"stages": len(runs), "off_by": max(run.off_by for run in runs)}


@non_fix("same-modality-alone", on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_3_same_kind_on_every_rank() -> dict[str, Any]:
    """It runs, but the text step applies the projector's gradient of the step before once more."""
    start()
    schedule: Schedule = same_kind_on_every_rank
    after_image, after_text, touched = (
        train_zero(3, schedule, Model("image"), steps=steps, touch=touch)
        for steps, touch in ((1, False), (2, False), (2, True))
    )
    return {
        "off_by": after_text.off_by,
        "off_by_after_the_image_step": after_image.off_by,
        "off_by_when_touched": touched.off_by,
    }


@non_fix("settings-for-unused-parameters", on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def zero_2_ignores_unused_parameters() -> None:
    """It is set in every training here; it is about parameters that no rank used."""
    start()
    train_zero(2, rank_1_has_text_only, Model("image"))


def image_moved_by_both(run: ZeroRun) -> bool:
    """Whether the image projector moved by its own update plus that of the audio projector."""
    moved, image, audio = (
        model.projectors[kind].weight - run.begin.projectors[kind].weight
        for model, kind in (
            (run.trained, "image"),
            (run.expected, "image"),
            (run.expected, "audio"),
        )
    )
    return bool((moved - image - audio).abs().max() < 1e-6)


def mixed(*, touch: bool) -> dict[str, Any]:
    """One step in which the ranks use different projectors of equal size."""
    start()
    rows = []
    for stage in (1, 2, 3):
        model = Model("image", "audio", features=WIDTH)
        run = train_zero(stage, a_projector_each, model, steps=1, touch=touch)
        row = {"off_by": run.off_by, "loss_off_by": run.loss_off_by}
        rows.append({"stage": stage} | row | {"image_moved_by_both": image_moved_by_both(run)})
    return {
        "found": max(row["off_by"] for row in rows) > 1e-5,
        "stages": rows,
        "moved_by_both": [row["image_moved_by_both"] for row in rows],
        "loss_off_by_in_zero_3": rows[-1]["loss_off_by"],
    }


@detect(found=True, on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def projectors_of_equal_size_are_mixed() -> dict[str, Any]:
    """Nothing fails: the gradient of one rank's projector is averaged with the other rank's."""
    return mixed(touch=False)


@detect(found=False, on="cpu", ranks=2, timeout_s=120, needs=["deepspeed"])
def touched_projectors_are_not_mixed() -> dict[str, Any]:
    """Both ranks now reduce both projectors."""
    return mixed(touch=True)


# --- Which wait is it? -------------------------------------------------------------------------


def wait_of_zero_3(*, touch: bool) -> dict[str, Any]:
    """Run into the timeout, then compare what the ranks had asked for."""
    start()
    with contextlib.suppress(RuntimeError):  # the timeout
        train_zero(3, rank_1_has_text_only, Model("image", features=WIDTH), touch=touch)
    return compare(from_every_rank("asked", asked_for()))


@detect(found=True, on="cpu", ranks=2, env=RECORDED, timeout_s=120, needs=["deepspeed"])
def waiting_ranks_asked_for_different_collectives() -> dict[str, Any]:
    """The failure: the ranks differ before they wait."""
    return wait_of_zero_3(touch=False)


@detect(found=False, on="cpu", ranks=2, env=RECORDED, timeout_s=120, needs=["deepspeed"])
def touching_ranks_ask_for_the_same_collectives() -> dict[str, Any]:
    """The fix: they agree from the first collective to the last."""
    return wait_of_zero_3(touch=True)


@detect(found=True, on="cpu")
def nccl_log_with_two_sizes() -> dict[str, Any]:
    """The same comparison on the watchdog lines of a reported run."""
    return compare(asked_for_in_log((HERE / "logs/ms-swift-3154.txt").read_text("utf-8")))


@detect(found=False, on="cpu")
def nccl_log_with_one_size() -> dict[str, Any]:
    """Another one: every rank that waits, waits for the same thing."""
    return compare(asked_for_in_log((HERE / "logs/llama-factory-7396.txt").read_text("utf-8")))


@detect(found=False, on="cpu", ranks=2, env=RECORDED, needs=["transformers"], timeout_s=120)
def slow_rank_is_still_in_autograd() -> dict[str, Any]:
    """The look-alike: rank 0 waits for a collective that rank 1 has yet to reach."""
    rank = start()
    model = DistributedDataParallel(Loop(channels=64))
    before = len(asked_for())
    loss = model((16, 2048)[rank])
    measure(collectives_in_the_loop=len(asked_for()) - before)
    watch = Watch(loss)
    watch.start()
    loss.backward()
    watch.join()
    (waiting,), slow = from_every_rank("seen", watch.seen)
    return compare(from_every_rank("asked", watch.asked)) | {
        "time_steps": from_every_rank("time_steps", watch.time_steps)[1],
        "walked_first": slow[0]["walked"],
        "walked_later": slow[1]["walked"],
        "waiting_python_is_in": waiting["python_is_in"],
        "slow_python_is_in": slow[0]["python_is_in"],
    }


def loop_by_length(device: str) -> dict[str, Any]:
    """Time one backward per length: the graph grows with the length, the time faster."""
    loop, rows = Loop(channels=256).to(device), []
    loop(16).backward()  # what only the first call costs
    for length in (256, 512, 1024, 2048):
        loss = loop(length)
        nodes = len(nodes_of(loss))
        loss.item()  # on a GPU: wait for forward
        began = time.perf_counter()
        loss.backward()
        loop.decay.grad.sum().item()
        seconds = round(time.perf_counter() - began, 3)
        rows.append({"length": length, "nodes": nodes, "backward_s": seconds})
    first, last = rows[0], rows[-1]
    return {
        "found": False,
        "lengths": rows,
        "length_ratio": last["length"] / first["length"],
        "node_ratio": round(last["nodes"] / first["nodes"], 2),
        "time_ratio": round(last["backward_s"] / first["backward_s"], 1),
    }


@detect(found=False, on="cpu", needs=["transformers"], timeout_s=120)
def pure_torch_loop_gets_slow() -> dict[str, Any]:
    """On a CPU core."""
    return loop_by_length("cpu")


@detect(found=False, on="cuda", needs=["transformers"])
def cuda_pure_torch_loop_gets_slow() -> dict[str, Any]:
    """On a GPU."""
    return loop_by_length("cuda:0")


if __name__ == "__main__":
    main(__file__)
