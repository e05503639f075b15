"""FlexAttention compiles a kernel that needs more shared memory than the GPU has."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "triton==3.7.1", "transformers==5.23.0", "axolotl==0.19.0",
#     "ruamel.yaml==0.19.1",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "0.19.0"
# requires-dist = []
# ///
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from flex_kernels import Options, causal, compile_training_step, shared_memory  # noqa: E402
from real_gpu import attend_on_gpu, gradient_error  # noqa: E402
from simulated_gpu import LIMITS, SimulatedGpu  # noqa: E402

HEAD_DIMS = (128, 256, 512)

# Up to head dimension 256 the backward is too large, above it the forward.
BACKWARD_BLOCKS: Options = {
    "bwd_BLOCK_M1": 32, "bwd_BLOCK_N1": 64, "bwd_BLOCK_M2": 64, "bwd_BLOCK_N2": 32,
    "bwd_num_stages": 1,
}  # fmt: skip
FORWARD_BLOCKS: Options = {"fwd_BLOCK_M": 32, "fwd_BLOCK_N": 32, "fwd_num_stages": 1}
ALL_BLOCKS_32: Options = {
    "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_M1": 32, "BLOCK_N1": 32, "BLOCK_M2": 32, "BLOCK_N2": 32,
    "num_stages": 1, "num_warps": 4,
}  # fmt: skip

AXOLOTL = {"AXOLOTL_DO_NOT_TRACK": "1"}


def table(architecture: int) -> dict[str, Any]:
    """What default blocks need on one architecture, head dimension by head dimension."""
    gpu = SimulatedGpu(architecture)
    rows = [row for head_dim in HEAD_DIMS for row in shared_memory(gpu, head_dim)]
    measures = {f"{row['kernel']}_{row['head_dim']}": row["last"] for row in rows}
    measures |= {f"{row['kernel']}_{row['head_dim']}_first": row["first"] for row in rows}
    refused = sorted({row["head_dim"] for row in rows if not row["fits"]})
    retried = sum(row["first"] != row["last"] and row["fits"] for row in rows)
    summary = {"found": bool(refused), "limit": LIMITS[architecture], "refused": refused}
    return summary | {"retried": retried, "kernels": rows} | measures


# The failure --------------------------------------------------------------------------------------


@reproduce(on="cpu", timeout_s=120, start="cold")
def backward_of_head_dim_192_on_sm_120() -> None:
    """Default blocks, no options: the forward compiles, the backward does not fit."""
    gpu = SimulatedGpu(120)
    try:
        compile_training_step(192)
    finally:
        backward = [seen["shared"] for seen in gpu.kernels if seen["kernel"] == "backward"]
        measure(backward=backward[-1], limit=LIMITS[120])


@reproduce(on="cuda", timeout_s=300)
def blocks_that_no_gpu_can_hold() -> None:
    """The real error on a real GPU: a query and a key tile of head dimension 512 are 256 KiB."""
    attend_on_gpu(512, {"BLOCK_M": 128, "BLOCK_N": 128, "num_stages": 1})


# Which head dimension fails on which GPU ----------------------------------------------------------


@detect(found=False, on="cpu", timeout_s=300, start="cold")
def default_blocks_on_sm_80() -> dict[str, Any]:
    """A100."""
    return table(80)


@detect(found=True, on="cpu", timeout_s=300, start="cold")
def default_blocks_on_sm_86() -> dict[str, Any]:
    """RTX 30, A10, A40, A6000."""
    return table(86)


@detect(found=True, on="cpu", timeout_s=300, start="cold")
def default_blocks_on_sm_89() -> dict[str, Any]:
    """RTX 40, L4, L40."""
    return table(89)


@detect(found=False, on="cpu", timeout_s=300, start="cold")
def default_blocks_on_sm_90() -> dict[str, Any]:
    """H100, H200."""
    return table(90)


@detect(found=True, on="cpu", timeout_s=300, start="cold")
def default_blocks_on_sm_120() -> dict[str, Any]:
    """RTX 50, RTX PRO Blackwell."""
    return table(120)


# What helps ---------------------------------------------------------------------------------------


@fix("smaller-blocks", on="cpu", timeout_s=300, start="cold")
def smaller_backward_blocks_up_to_head_dim_256() -> dict[str, Any]:
    """The same options compile for every architecture, and fit."""
    gpu = SimulatedGpu(80)
    rows: list[dict[str, Any]] = []
    for architecture in LIMITS:
        gpu.become(architecture)
        rows += shared_memory(gpu, 256, BACKWARD_BLOCKS)
    backward = max(row["last"] for row in rows if row["kernel"] == "backward")
    return {"fits": all(row["fits"] for row in rows), "backward": backward, "kernels": rows}


@fix("smaller-blocks", on="cpu", timeout_s=120, start="cold")
def smaller_forward_blocks_at_head_dim_512() -> dict[str, Any]:
    """Above 256 the backward has small blocks of its own; only the forward needs help."""
    rows = shared_memory(SimulatedGpu(120), 512, FORWARD_BLOCKS)
    last = {row["kernel"]: row["last"] for row in rows}
    return {"fits": all(row["fits"] for row in rows), "kernels": rows, **last}


@fix("smaller-blocks", on="cpu", env=AXOLOTL)
def plugin_hands_the_blocks_over() -> dict[str, Any]:
    """Axolotl loads the plugin as published; the options arrive at the call of flex_attention."""
    import torch
    from axolotl.integrations.base import PluginManager
    from axolotl.utils.dict import DictDefault
    from ruamel.yaml import YAML
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.integrations import flex_attention

    seen: list[dict[str, int] | None] = []
    original = flex_attention.compile_friendly_flex_attention

    def watch(*arguments: Any, kernel_options: Any = None, **options: Any) -> Any:
        seen.append(kernel_options)  # and attend without them: the CPU has no Triton kernel
        return original(*arguments, **options)

    # On a CPU the compiled form needs a C++ build per shape; eager computes the same.
    eager = staticmethod(flex_attention.flex_attention)
    flex_attention.WrappedFlexAttention._compiled_flex_attention = eager
    flex_attention.WrappedFlexAttention._is_flex_compiled = True
    flex_attention.WrappedFlexAttention.training = False
    flex_attention.compile_friendly_flex_attention = watch

    config = LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, attn_implementation="flex_attention",
    )  # fmt: skip
    published = YAML(typ="safe").load(HERE / "entry.yaml")["fixes"][0]["code"]
    Path("flex_small_blocks.py").write_text(published, encoding="utf-8")
    sys.path.insert(0, str(Path.cwd()))

    model = LlamaForCausalLM(config).eval()
    tokens = torch.arange(16)[None]
    with torch.no_grad():
        before = model(tokens).logits
        plain, seen[:] = list(seen), []
        settings = YAML(typ="safe").load(HERE / "configs" / "after.yaml")
        manager = PluginManager.get_instance()
        for plugin in settings["plugins"]:
            manager.register(plugin)
        manager.pre_model_load(DictDefault(settings))
        after = model(tokens).logits
    return {
        "without_plugin": sum(options is not None for options in plain),
        "with_plugin": sum(options == BACKWARD_BLOCKS for options in seen),
        "layers": config.num_hidden_layers,
        "same_logits": bool(torch.equal(before, after)),
    }


@fix("smaller-blocks", on="cuda", timeout_s=600, gpu_memory_gib=2.0)
def smaller_blocks_train_like_sdpa() -> dict[str, Any]:
    """Forward and backward run, and their gradients are those of SDPA."""
    return {f"error_{dim}": gradient_error(dim, BACKWARD_BLOCKS) for dim in (64, 128, 192, 256)}


@fix("let-torch-search", on="cpu", timeout_s=120, env={"TORCHINDUCTOR_MAX_AUTOTUNE": "1"})
def a_candidate_of_the_search_fits() -> dict[str, Any]:
    """With the variable set, torch's own list for the backward holds a candidate that fits."""
    gpu = SimulatedGpu(120)
    import torch
    import torch._inductor.config as inductor
    from torch._inductor.template_heuristics.triton import CUDAConfigHeuristic

    asked = inductor.max_autotune
    candidates = CUDAConfigHeuristic().get_flex_attn_bwd_configs(256, torch.bfloat16)
    smallest = min(candidates, key=lambda it: (it.block_m1 * it.block_n1, it.num_stages))
    options = {
        "bwd_BLOCK_M1": smallest.block_m1, "bwd_BLOCK_N1": smallest.block_n1,
        "bwd_BLOCK_M2": smallest.block_m2, "bwd_BLOCK_N2": smallest.block_n2,
        "bwd_num_stages": smallest.num_stages, "bwd_num_warps": smallest.num_warps,
    }  # fmt: skip
    with inductor.patch(max_autotune=False):  # to time all of them takes a GPU
        rows = shared_memory(gpu, 256, options)
    return {
        "asked": asked, "candidates": len(candidates), "fits": all(row["fits"] for row in rows),
        "backward": rows[-1]["last"], "block": smallest.block_m1, "stages": smallest.num_stages,
    }  # fmt: skip


@detect(found=False, on="cuda", timeout_s=600, gpu_memory_gib=2.0)
def rejected_candidates_are_harmless() -> dict[str, Any]:
    """The look-alike: a search reports candidates that do not fit, drops them and goes on."""
    import logging

    import torch

    class Counter(logging.Handler):
        rejected = 0

        def emit(self, record: logging.LogRecord) -> None:
            self.rejected += "out of resource" in record.getMessage()

    counter = Counter()
    logging.getLogger("torch._inductor.select_algorithm").addHandler(counter)
    error = gradient_error(256, mode="max-autotune-no-cudagraphs")
    torch.cuda.synchronize()
    return {"found": False, "rejected": counter.rejected, "error": error}


@fix("another-attention", on="cpu", env=AXOLOTL)
def sdpa_needs_no_such_kernel() -> dict[str, Any]:
    """SDPA at head dimension 256 gives flex attention's result and has a backward."""
    import torch
    from axolotl.utils.schemas.config import AxolotlInputConfig
    from ruamel.yaml import YAML
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    from torch.nn.functional import scaled_dot_product_attention

    settings = YAML(typ="safe").load(HERE / "configs" / "after-sdpa.yaml")
    accepted = AxolotlInputConfig(**settings)
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, 2, 256, 256, requires_grad=True) for _ in range(3))
    output = scaled_dot_product_attention(query, key, value, is_causal=True)
    output.sum().backward()
    mask = create_block_mask(causal, None, None, 256, 256, device="cpu")
    flex = flex_attention(query.detach(), key.detach(), value.detach(), block_mask=mask)
    return {
        "attention": accepted.attn_implementation,
        "difference": (output.detach() - flex).abs().max().item(),
        "gradients": all(bool(it.grad.isfinite().all()) for it in (query, key, value)),
    }


# What does not help -------------------------------------------------------------------------------


@non_fix("blocks-in-compile-kwargs", on="cpu", versions=["axolotl==0.9.0"], env=AXOLOTL)
def axolotl_0_9_0_passes_them_to_torch_compile() -> None:
    """With torch 2.6 the keys reach torch.compile, which does not know them."""
    import torch

    torch.__version__ = "2.6.0"  # the patch looks at nothing else
    from axolotl.monkeypatch.attention.flex_attn import patch_flex_wrapper
    from transformers.integrations import flex_attention

    patch_flex_wrapper(BLOCK_M=32, BLOCK_N=32, num_stages=1)
    flex_attention.WrappedFlexAttention(training=True)


@non_fix("blocks-in-compile-kwargs", on="cpu", env=AXOLOTL)
def axolotl_0_19_0_never_reads_them() -> dict[str, Any]:
    """The schema accepts any key, and no line of the release hands one on."""
    import torch
    from axolotl.loaders.patch_manager import PatchManager
    from axolotl.utils.dict import DictDefault
    from axolotl.utils.schemas.config import AxolotlInputConfig
    from ruamel.yaml import YAML
    from transformers import LlamaConfig
    from transformers.integrations import flex_attention

    settings = YAML(typ="safe").load(HERE / "configs" / "before.yaml")
    accepted = AxolotlInputConfig(**settings).flex_attn_compile_kwargs
    assert accepted is not None
    real_compile, calls = torch.compile, []

    def watch(function: Any, **options: Any) -> Any:
        calls.append(options)
        return real_compile(function, **options)

    torch.compile = watch  # type: ignore[assignment]
    sizes = {"context_parallel_size": 1, "tensor_parallel_size": 1, "dp_shard_size": 1}
    PatchManager(DictDefault(settings | sizes), LlamaConfig()).apply_pre_model_load_patches()
    flex_attention.WrappedFlexAttention(training=True)
    handed_on = [key for options in calls for key in options if key in accepted]
    return {"accepted": len(accepted), "compiled": len(calls), "handed_on": len(handed_on)}


@non_fix("blocks-in-compile-kwargs", on="cpu", start="cold")
def as_inductor_options() -> None:
    """`options=` takes the settings of inductor; block sizes of a template are not among them."""
    import torch
    from torch.nn.attention.flex_attention import flex_attention

    try:
        torch.compile(flex_attention, options={"BLOCK_M": 32})
    except RuntimeError as error:  # it goes on to list all of inductor's settings
        raise RuntimeError(str(error)[:120] + "...") from None


@non_fix("fewer-stages-alone", on="cpu", timeout_s=120, start="cold")
def one_stage_on_sm_86() -> dict[str, Any]:
    """By the time it reports the error, torch 2.13 has already tried one stage."""
    rows = shared_memory(SimulatedGpu(86), 256, {"num_stages": 1})
    return {"fits": rows[-1]["fits"], "backward": rows[-1]["last"], "limit": LIMITS[86]}


@non_fix("one-size-for-every-head", on="cpu", timeout_s=120, start="cold")
def blocks_of_32_at_head_dim_512() -> dict[str, Any]:
    """Options copied from a smaller head dimension enlarge the blocks of the backward here."""
    rows = shared_memory(SimulatedGpu(120), 512, ALL_BLOCKS_32)
    last = {row["kernel"]: row["last"] for row in rows}
    return {"fits": all(row["fits"] for row in rows), "limit": LIMITS[120], **last}


if __name__ == "__main__":
    main(__file__)
