"""A kernel of one's own, and what Triton does with it before it first runs on a card."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit  # type: ignore[untyped-decorator]
def add(x, y, total, SIZE: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Add two vectors."""
    at = tl.arange(0, SIZE)
    tl.store(total + at, tl.load(x + at) + tl.load(y + at))


def compile_for(card: int) -> bytes:
    """Compile it for a card.

    Args:
        card: Its compute capability times ten, such as 121.

    Returns:
        Machine code.
    """
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    signature = dict.fromkeys(("x", "y", "total"), "*fp32")
    source = ASTSource(add, signature | {"SIZE": "constexpr"}, {"SIZE": 128})
    code: bytes = triton.compile(source, target=GPUTarget("cuda", card, 32)).asm["cubin"]
    return code
