"""torch's own variable-length flash attention on a GPU, with offsets past the rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch

from fixbook.recipe import detect, reproduce


def attend(rows: int, offsets: list[int], heads: int = 4) -> bool:
    """Call the kernel with these offsets; tell whether what lies behind its output has changed."""
    shape = (
        rows,
        heads,
        64,
    )  # of four heads a row is 512 bytes, what memory is dealt in
    q, k, v = (torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(3))
    ends = torch.tensor(offsets, dtype=torch.int32, device="cuda")
    longest = max(end - start for start, end in pairwise(offsets))
    place = torch.empty_like(q)
    behind = torch.ones(28, *shape[1:], device="cuda", dtype=torch.float16)
    del place  # free now, and exactly the size of the output
    # What torch.nn.attention.varlen calls; the operator is there in older versions too.
    options = {"dropout_p": 0.0, "is_causal": True, "return_debug_mask": False}
    torch.ops.aten._flash_attention_forward(q, k, v, ends, ends, longest, longest, **options)
    torch.cuda.synchronize()
    return bool((behind != 1).any())


@reproduce(on="cuda", gpu_memory_gib=2, timeout_s=120, env={"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"})
def far_past_the_rows() -> None:
    """Offsets of a mask that numbers 128 documents of 64 tokens; every tensor stands alone."""
    attend(128 * 64, [0, sum(number * 64 for number in range(1, 129))], heads=64)


@detect(found=True, on="cuda", gpu_memory_gib=1, timeout_s=120)
def a_small_overrun() -> dict[str, Any]:
    """Seven rows, and offsets that end at fifteen."""
    return {"found": attend(7, [0, 15])}


@detect(found=False, control="a-small-overrun", on="cuda", gpu_memory_gib=1, timeout_s=120)
def counted_offsets() -> dict[str, Any]:
    """The same seven rows, and offsets that end there."""
    return {"found": attend(7, [0, 2, 4, 7])}
