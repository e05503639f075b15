"""A process of a training begins, on a machine with several RTX 40 cards."""

TRAIN = """
import os

import torch
from accelerate import PartialState


def set_device(self):
    self.device = torch.device("cuda", 0)  # in place of a GPU that this machine lacks


PartialState.set_device = set_device
state = PartialState(**({"backend": "gloo"} if "LOCAL_RANK" in os.environ else {}))
print("started", state.num_processes)
"""
