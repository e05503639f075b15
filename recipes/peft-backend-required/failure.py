"""A LoRA for a diffusion pipeline and one for a language model, in an environment without peft."""

import importlib
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

LORA = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q.lora_"


def uninstall() -> tuple[str, str]:
    """Take peft, and nothing else, out of this interpreter's path."""
    found = importlib.util.find_spec("peft")
    assert found is not None
    assert found.origin is not None
    site = Path(found.origin).parents[1]
    links = Path(tempfile.mkdtemp())
    for file in site.iterdir():
        if file.name != "peft" and not file.name.startswith("peft-"):
            (links / file.name).symlink_to(file)
    exchange(str(site), str(links))
    return str(site), str(links)


def exchange(old: str, new: str) -> None:
    """Put one folder in the place of another, as pip changes what is found."""
    sys.path = [new if folder == old else folder for folder in sys.path]
    importlib.invalidate_caches()


def pipeline() -> Any:
    """Build a pipeline of Stable Diffusion whose UNet is tiny."""
    from diffusers import DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel

    unet = UNet2DConditionModel(
        block_out_channels=(8, 16),
        layers_per_block=1,
        sample_size=8,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=8,
        attention_head_dim=2,
        norm_num_groups=4,
    )
    scheduler = DDIMScheduler(steps_offset=1, clip_sample=False)
    parts = dict.fromkeys(["vae", "text_encoder", "tokenizer", "safety_checker"])
    return StableDiffusionPipeline(
        unet=unet,
        scheduler=scheduler,
        feature_extractor=None,
        requires_safety_checker=False,
        **parts,
    )


def load_lora(pipe: Any) -> int:
    """Load a LoRA, and count the tensors of it that the UNet has."""
    pipe.load_lora_weights(
        {f"{LORA}A.weight": torch.ones(2, 16), f"{LORA}B.weight": torch.ones(16, 2)}
    )
    return sum("lora_" in name for name, _ in pipe.unet.named_parameters())


def add_lora(model: Any) -> int:
    """Add a LoRA to a language model, and count its tensors."""
    from peft import LoraConfig

    model.add_adapter(LoraConfig(target_modules=["q_proj"]))
    return sum("lora_" in name for name, _ in model.named_parameters())
