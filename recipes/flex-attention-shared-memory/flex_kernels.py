"""Compile flex attention as a training step does, and read how much shared memory it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulated_gpu import LIMITS

if TYPE_CHECKING:
    from simulated_gpu import SimulatedGpu

Options = dict[str, int]
LENGTH = 1024


def causal(_batch: Any, _head: Any, query: Any, key: Any) -> Any:
    """Let a position see itself and what came before."""
    return query >= key


def compile_training_step(head_dim: int, kernel_options: Options | None = None) -> None:
    """Compile forward and backward of causal flex attention in bfloat16; nothing is launched."""
    import torch
    from torch._inductor.compile_fx import compile_fx, compile_fx_inner
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def compile_only(graph: Any, inputs: Any, **options: Any) -> Any:
        compile_fx_inner(graph, inputs, **options)
        nodes = graph.graph.output_node().args[0]
        outputs = [None if node is None else node.meta["val"] for node in nodes]

        def skip_launch(arguments: list[Any]) -> list[Any]:
            arguments.clear()
            return [
                torch.empty_strided(val.shape, val.stride(), dtype=val.dtype, device=val.device)
                if isinstance(val, torch.Tensor)
                else val
                for val in outputs
            ]

        skip_launch._boxed_call = True  # type: ignore[attr-defined]
        return skip_launch

    torch._dynamo.reset()
    compiled = torch.compile(
        flex_attention,
        backend=lambda graph, inputs: compile_fx(graph, inputs, inner_compile=compile_only),
        dynamic=False,
    )
    shape = (1, 1, LENGTH, head_dim)
    with FakeTensorMode():
        inputs = [
            torch.empty(shape, device="cuda", dtype=torch.bfloat16, requires_grad=True)
            for _ in range(3)
        ]
        mask = create_block_mask(causal, None, None, LENGTH, LENGTH, device="cuda")
        output = compiled(*inputs, block_mask=mask, kernel_options=kernel_options)
        output.sum().backward()


def shared_memory(
    gpu: SimulatedGpu, head_dim: int, kernel_options: Options | None = None
) -> list[dict[str, Any]]:
    """Compile one training step; return a row per kernel: what it needed at first, and at last."""
    gpu.kernels.clear()
    fits = True
    try:
        compile_training_step(head_dim, kernel_options)
    except Exception as error:
        if "out of resource: shared memory" not in str(error):
            raise
        fits = False
    limit = LIMITS[gpu.architecture]
    rows = []
    for kernel in ("forward", "backward"):
        attempts = [seen["shared"] for seen in gpu.kernels if seen["kernel"] == kernel]
        if attempts:
            rows.append(
                {
                    "gpu": f"sm_{gpu.architecture}", "head_dim": head_dim, "kernel": kernel,
                    "first": attempts[0], "last": attempts[-1], "limit": limit,
                    "fits": attempts[-1] <= limit,
                }
            )  # fmt: skip
    assert fits == all(row["fits"] for row in rows), "the verdict is the compiler's, not ours"
    return rows
