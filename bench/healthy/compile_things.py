"""torch.compile on the processor, and the Triton compiler for GPUs that are not there."""

# ruff: noqa: ANN001, ANN201 (kernels take pointers, which have no type in Python)
from __future__ import annotations

import argparse

import torch
import triton
import triton.language as tl
from small_model import small_llama
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(  # type: ignore[no-untyped-def]
    a,
    b,
    c,
    n,
    block: tl.constexpr,
    depth: tl.constexpr,
):
    """Multiply two square matrices."""
    rows = tl.program_id(0) * block + tl.arange(0, block)
    columns = tl.program_id(1) * block + tl.arange(0, block)
    inner = tl.arange(0, depth)
    total = tl.zeros((block, block), dtype=tl.float32)
    for start in range(0, n, depth):
        left = tl.load(a + rows[:, None] * n + (start + inner)[None, :], mask=rows[:, None] < n)
        right = tl.load(b + (start + inner)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=rows[:, None] < n)


@triton.jit
def softmax(x, y, n, block: tl.constexpr):  # type: ignore[no-untyped-def]
    """Softmax of one row."""
    columns = tl.arange(0, block)
    row = tl.load(x + tl.program_id(0) * n + columns, mask=columns < n, other=-float("inf"))
    weights = tl.exp(row - tl.max(row, 0))
    tl.store(y + tl.program_id(0) * n + columns, weights / tl.sum(weights, 0), mask=columns < n)


def kernels(capability: int) -> None:
    """Compile both kernels for one generation of GPUs."""
    types = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "n": "i32"}
    for block in (32, 64, 128):
        source = ASTSource(matmul, types, {"block": block, "depth": 32})
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32))
        print(f"matmul block={block} sm_{capability}: shared={made.metadata.shared}")
    source = ASTSource(softmax, {"x": "*fp32", "y": "*fp32", "n": "i32"}, {"block": 1024})
    made = triton.compile(source, target=GPUTarget("cuda", capability, 32))
    print(f"softmax sm_{capability}: shared={made.metadata.shared} warps={made.metadata.num_warps}")


def model(*, dynamic: bool) -> None:
    """Compile a model, run it with several shapes, forward and backward."""
    compiled = torch.compile(small_llama(), dynamic=dynamic)
    for length in (8, 12, 16, 20, 24):
        ids = torch.arange(length)[None] % 128
        loss = compiled(input_ids=ids, labels=ids).loss
        loss.backward()
        print(f"length {length}: loss {loss.item():.4f}")


def breaks() -> None:
    """Break the graph, and recompile until the limit, which is no failure."""

    @torch.compile
    def step(x: torch.Tensor, factor: int) -> torch.Tensor:
        print("a graph break")
        return (x.sin() * factor).cos()

    for factor in range(40):
        step(torch.ones(3 + factor), factor)
    print(torch._dynamo.utils.compile_times())  # noqa: SLF001


def main() -> None:
    """Do one of these."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("kernels", "model", "dynamic", "breaks"))
    parser.add_argument("--capability", type=int, default=80)
    options = parser.parse_args()
    if options.what == "kernels":
        kernels(options.capability)
    elif options.what == "breaks":
        breaks()
    else:
        model(dynamic=options.what == "dynamic")


if __name__ == "__main__":
    main()
