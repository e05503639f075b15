"""What reaches the kernels from a configuration of axolotl."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import measure, snippet_text

HERE = Path(__file__).resolve().parent
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
