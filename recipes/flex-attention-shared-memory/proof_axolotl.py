"""What reaches the kernels from a configuration of axolotl."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import fix, measure, non_fix, reproduce, snippet_text

HERE = Path(__file__).resolve().parent
COMPILES = {
    "on": "cpu", "programs": ["c++"], "timeout_s": 300, "import_first": "proof_device",
    "env": {"AXOLOTL_DO_NOT_TRACK": "1"},
}  # fmt: skip
IN_THE_WRONG_PLACE = {"BLOCK_M": 32, "BLOCK_N": 32, "num_stages": 1}
SIZES = {"context_parallel_size": 1, "tensor_parallel_size": 1, "dp_shard_size": 1}


def train_as(config: str, **added: Any) -> dict[str, Any]:
    """Do what axolotl does before it loads a model, then train on a simulated RTX 5090.

    Args:
        config: One of the files under ``configs``.
        **added: What the file says in addition.
    """
    from proof_gpu import SimulatedGpu, without_memory

    simulated = SimulatedGpu(120)
    import failure
    from axolotl.integrations.base import PluginManager
    from axolotl.loaders.patch_manager import PatchManager
    from axolotl.utils.dict import DictDefault
    from axolotl.utils.schemas.config import AxolotlInputConfig
    from ruamel.yaml import YAML
    from transformers import LlamaConfig

    file = snippet_text("smaller-blocks") + snippet_text("axolotl-plugin")
    Path("flex_small_blocks.py").write_text(file, encoding="utf-8")
    sys.path.insert(0, str(Path.cwd()))
    settings = YAML(typ="safe").load(HERE / "configs" / config) | added
    accepted = AxolotlInputConfig(**settings)
    measure(block_keys_accepted=len(accepted.flex_attn_compile_kwargs or {}))
    manager = PluginManager.get_instance()
    for plugin in settings.get("plugins", ()):
        manager.register(plugin)
    cfg = DictDefault(settings | SIZES)
    PatchManager(cfg, LlamaConfig()).apply_pre_model_load_patches()
    manager.pre_model_load(cfg)
    try:
        with without_memory():
            failure.train(attention=accepted.attn_implementation)
    finally:
        measure(**simulated.summary())
    return {"trained": True}


@reproduce(**COMPILES)
def axolotl() -> dict[str, Any]:
    """FlexAttention, as axolotl's examples ask for it."""
    return train_as("before.yaml")


@fix("smaller-blocks", control="axolotl", **COMPILES)
def axolotl_plugin() -> dict[str, Any]:
    """Axolotl loads the file of the page."""
    return train_as("after.yaml")


@non_fix("blocks-in-compile-kwargs", control="axolotl", **COMPILES)
def axolotl_compile_kwargs() -> dict[str, Any]:
    """Axolotl accepts the keys, and no line of it hands them on."""
    return train_as("before.yaml", flex_attn_compile_kwargs=IN_THE_WRONG_PLACE)
