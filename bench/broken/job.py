"""Four ranks train over gloo; in step 3, one of them makes a mistake. Run it under torchrun.

torchrun --nproc-per-node 4 job.py MODULE FUNCTION RANK
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import random
import sys
import time
import traceback
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

STEPS, FAILS_IN = 6, 3
log = logging.getLogger("train")


def remember(error: BaseException) -> None:
    """Write down what was raised here and where, for those who judge an answer."""
    lines = "".join(traceback.format_exception_only(error)).rstrip().split("\n")
    own = [
        frame.name
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(str(Path(__file__).parent))
    ]
    text, function = lines[0], own[-1]
    if isinstance(error, SystemExit):  # which prints its text, and no traceback
        text, function = str(error.code), ""
    elif any(line.startswith("Original Traceback") for line in lines):  # of a worker of the loader
        text, function = lines[-1], "__getitem__"
    Path(os.environ["RAISED"]).write_text(json.dumps([text, function]), "utf-8")


def main() -> None:
    """Train; the mistake comes before a step that the others wait in."""
    module, name, guilty = sys.argv[1], sys.argv[2], int(sys.argv[3])
    mistake = getattr(importlib.import_module(module), name)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    layout = "%(asctime)s %(levelname)s %(message)s" if guilty % 2 else "%(message)s"
    logging.basicConfig(level=logging.INFO, format=layout)
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(STEPS):
        time.sleep(random.random() / 50)
        if step == FAILS_IN and rank == guilty:
            try:
                mistake()
            except BaseException as error:
                remember(error)
                raise
        loss = model(torch.rand(4, 8)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        log.info("step %d/%d rank %d loss %.4f", step, STEPS, rank, loss.item())


if __name__ == "__main__":
    main()
