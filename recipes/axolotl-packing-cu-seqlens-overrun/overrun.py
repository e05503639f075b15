"""Call torch's own variable-length flash attention on packed documents. Needs torch and a GPU.

    python overrun.py --documents 64 --length 64 --offsets summed

With ``counted`` the kernel gets one segment per document. With ``summed`` it gets what transformers
makes of a mask that numbers the documents 1, 2, 3: one segment, as long as the sum of the numbers.
Prints one line of JSON, or dies as a training run would.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise

import torch
from torch.nn.functional import scaled_dot_product_attention

HEADS, DIM = 32, 128


def offsets_of(documents: int, length: int, how: str) -> list[int]:
    """Return where the segments start, and where the last one ends."""
    if how == "counted":
        return list(range(0, documents * length + 1, length))
    return [0, sum(number * length for number in range(1, documents + 1))]


def attention_per_document(qkv: list[torch.Tensor], length: int) -> torch.Tensor:
    """Attend within each document with SDPA, without packing."""
    q, k, v = (x.unflatten(0, (-1, length)).transpose(1, 2) for x in qkv)
    return scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(0, 1)


def main() -> None:
    """Make one call and compare it with attention per document."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=64)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--offsets", choices=["counted", "summed"], default="counted")
    options = parser.parse_args()

    rows = options.documents * options.length
    torch.manual_seed(0)
    shape = (rows, HEADS, DIM)
    qkv = [torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(3)]
    offsets = offsets_of(options.documents, options.length, options.offsets)
    longest = max(end - start for start, end in pairwise(offsets))
    ends = torch.tensor(offsets, dtype=torch.int32, device="cuda")

    # What torch.nn.attention.varlen calls; the operator is there in older versions too.
    out = torch.ops.aten._flash_attention_forward(
        *qkv, ends, ends, longest, longest, dropout_p=0.0, is_causal=True, return_debug_mask=False
    )[0]
    torch.cuda.synchronize()
    difference = (out - attention_per_document(qkv, options.length)).abs().max().item()
    print(json.dumps({"rows": rows, "end": offsets[-1], "difference": difference}))


if __name__ == "__main__":
    main()
