"""Loops of one's own, each with a thing that looks like trouble from outside."""

import sys
import time

import torch
from pauses import busy, pause

kind, pauses = sys.argv[1], sys.argv[2:]
torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
cache = []


def loss_of():
    given = torch.randn(64, 16)
    return (model(given) - given.sum(-1, keepdim=True)).square().mean()


def train():
    for at in range(60):
        loss = loss_of()
        optimizer.zero_grad()
        loss.backward()
        norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), 1e9))
        if kind == "overflows" and at in (3, 4):
            norm = float("inf")  # as a loss scale that is too high at first
        rate = 0.01 * min(1, at / 20) * (at < 58)
        if kind == "caches" and at < 30:
            cache.append(bytearray(b"x" * 20_000_000))  # fills, and stays
        if kind == "silent":
            pass
        elif kind == "rewrites":
            print(f"\rstep {at}/60 loss {loss.item():.4f}", end="", flush=True)
        else:
            print(f"step {at} loss: {loss.item():.4f} grad_norm: {norm:.4f} lr: {rate:.2e}", flush=True)
        optimizer.step()
        time.sleep(0.1)
        if at == 30:
            for one in pauses:
                pause(one)


if kind == "busy":
    with busy():
        train()
else:
    train()
