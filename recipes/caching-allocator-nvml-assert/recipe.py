"""Memory runs out, torch asks NVML who has it, and an answer that is no answer ends the program."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

import proof_nvml  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import SAMPLE, search, step

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

STAND_IN: dict[str, Any] = {
    "import_first": "proof_nvml",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
}
CU130: dict[str, Any] = {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
CU126: dict[str, Any] = {"versions": ["torch==2.7.1", "nvidia-cuda-runtime-cu12==12.6.77"]}
WHOLE: dict[str, Any] = {"env": {"STAND_IN_NVML": "1"}}
SLICE: dict[str, Any] = {"env": {"STAND_IN_NVML": "1", "STAND_IN_NVML_PROCESSES": "4"}}
HIDDEN: dict[str, Any] = {"env": {"STAND_IN_NVML": "1", "STAND_IN_NVML_HANDLE": "6"}}
MISMATCH: dict[str, Any] = {"env": {"STAND_IN_NVML": "1", "STAND_IN_NVML_INIT": "18"}}
OLDER: dict[str, Any] = {"env": {"STAND_IN_NVML": "older"}}
FIXED_SEGMENTS: dict[str, Any] = {
    "env": {
        "STAND_IN_NVML": "1",
        "STAND_IN_NVML_PROCESSES": "4",
        "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:False",
    }
}
TOO_LARGE, FITS = 12, 6  # samples of a GiB each, on a card of 8


def ask(batch_size: int) -> dict[str, Any]:
    """Run the page's check before a batch of this size."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        seen = snippet("ask")
    found = any(seen["codes"]) and batch_size * SAMPLE > seen["free"]
    return {"found": found, "said": printed.getvalue().strip()}


def train(batch_size: int) -> dict[str, Any]:
    """Take one step."""
    free, total = torch.cuda.mem_get_info()
    measure(torch=torch.__version__, free=free, total=total, asked=batch_size * SAMPLE)
    measure(settings=os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""))
    if hasattr(torch.cuda.get_device_properties(0), "pci_bus_id"):  # which older releases lack
        measure(**ask(batch_size))
    return {"trained": step(batch_size)}


@reproduce(**STAND_IN | CU130 | SLICE)
def process_list_refused() -> Any:
    """NVML does not list the processes: no permission, as on a slice of MIG."""
    return train(TOO_LARGE)


@reproduce(**STAND_IN | CU130 | HIDDEN)
def card_not_found() -> Any:
    """NVML does not know the card."""
    return train(TOO_LARGE)


@reproduce(**STAND_IN | CU130 | OLDER)
def older_library() -> Any:
    """A libnvidia-ml that is older than this torch."""
    return train(TOO_LARGE)


@reproduce(**STAND_IN | CU126 | MISMATCH)
def nvml_does_not_start() -> Any:
    """NVML does not start, with an older torch."""
    return train(TOO_LARGE)


def searched(**options: Any) -> dict[str, Any]:
    """Let accelerate search."""
    tried: list[int] = []
    try:
        return {"found_size": search(TOO_LARGE, tried, **options)}
    finally:
        measure(tried=tried)


@reproduce(**STAND_IN | CU130 | SLICE)
def searching_a_batch_size() -> Any:
    """The search tries once."""
    return searched()


@fix("less", control="process-list-refused", **STAND_IN | CU130 | SLICE)
def smaller_batch() -> Any:
    """A batch that fits."""
    return train(FITS)


@fix("less", control="nvml-does-not-start", **STAND_IN | CU126 | MISMATCH)
def smaller_batch_with_an_older_torch() -> Any:
    """A batch that fits."""
    return train(FITS)


@fix("translate", control="searching-a-batch-size", **STAND_IN | CU130 | SLICE)
def translated() -> Any:
    """The page's lines raise what accelerate waits for."""
    return searched(train=snippet("translate", step=step)["train"])


@non_fix("segments", control="process-list-refused", **STAND_IN | CU130 | FIXED_SEGMENTS)
def segments_fixed() -> Any:
    """As the images of a CI set it for slices."""
    return train(TOO_LARGE)


def ask_and_try() -> dict[str, Any]:
    """Run the page's check, and see what too large a batch raises."""
    try:
        step(TOO_LARGE)
    except RuntimeError as error:
        measure(raised=type(error).__name__)
    return ask(TOO_LARGE)


@detect(found=True, **STAND_IN | CU130 | SLICE)
def asks_on_a_slice() -> dict[str, Any]:
    """NVML refuses the list of processes."""
    return ask_and_try()


@detect(found=False, control="asks-on-a-slice", **STAND_IN | CU130 | WHOLE)
def asks_on_a_whole_card() -> dict[str, Any]:
    """NVML answers: the same batch is an ordinary error."""
    return ask_and_try()


if __name__ == "__main__":
    main(__file__)
