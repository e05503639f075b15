"""Four ranks train; on one of them the loss does not fit beside the logits, the others notice."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from transformers import LlamaConfig, LlamaForCausalLM

GUILTY = 2
VOCABULARY, LONG, SHORT = 50_000, 2048, 16


def leave_room_for_logits_but_not_for_the_loss() -> None:
    """Limit this process to what it has and one and a half times the logits in float32.

    In float32, as a matrix product in bfloat16 takes a buffer of its own on some processors.
    """
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    used = pages * resource.getpagesize()
    limit = used + VOCABULARY * LONG * 6
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    """Train two steps; in the second, one rank gets a long batch and little memory."""
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    model = LlamaForCausalLM(config)
    for step in range(2):
        length = LONG if step and rank == GUILTY else SHORT
        if length == LONG:
            leave_room_for_logits_but_not_for_the_loss()
        ids = torch.arange(length)[None]
        loss = model(input_ids=ids, labels=ids).loss
        dist.all_reduce(loss)
        sys.stderr.write(f"step {step}: loss {loss.item():.3f}\n")


if __name__ == "__main__":
    main()
