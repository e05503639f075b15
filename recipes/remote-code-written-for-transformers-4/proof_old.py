"""The parts of a model's code, old and repaired, and what the loaded model computes."""

from __future__ import annotations

import textwrap
from typing import Any

import torch
import transformers
from failure import load
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForCausalLM, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import tiny_llama

ROTARY = """
class Rotary(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dim = config.hidden_size // config.num_attention_heads
        self.base = config.rope_theta
        {find}
        self.register_buffer("inv_freq", inv_freq, persistent=False)
        {scale}
"""
OWN = "inv_freq = 1.0 / self.base ** (torch.arange(0, self.dim, 2).float() / self.dim)"
TABLE = """self.rope_type = "default"
        self.rope_init_fn = ROPE_INIT_FUNCTIONS[self.rope_type]
        inv_freq, self.scaling = self.rope_init_fn(config, None)"""
TEMPLATE = (
    TABLE
    + """
        self.config, self.original_inv_freq = config, inv_freq"""
)
AS_PRINTED = "as printed"
SCALING = f"""if config.rope_scaling is not None:
            scaling_type = config.rope_scaling["type"]
        {OWN}"""
LEARNED = "self.scale = nn.Parameter(torch.ones(16))"
IN_PLACE = """
    def _init_weights(self, module):
        if isinstance(module, Rotary):
            module.scale.data.fill_(1.0)
            steps = torch.arange(0, 16, 2).float() / 16
            module.inv_freq.copy_(1.0 / 500.0 ** steps)
"""
FILL = IN_PLACE.replace("            module.scale.data.fill_(1.0)\n", "")
GUARDED = IN_PLACE.replace("module.scale.data.fill_(1.0)", "nn.init.ones_(module.scale)")
LIST = '_tied_weights_keys = ["lm_head.weight"]'


def old(*, by_hand: bool = False, **changes: Any) -> dict[str, Any]:
    """Write the folder, load it, ask the page's check and compare what the model computes.

    Args:
        by_hand: Load it anew by the page's lines.
        **changes: Those of `opened`.
    """
    model = opened(**changes)
    if by_hand:
        names = {"AutoConfig": AutoConfig, "AutoModelForCausalLM": AutoModelForCausalLM}
        model = snippet("by-hand", folder="old-model", **names)["model"]
    return {**compared(model), **checked(model, "old-model")}


def opened(
    *,
    find: str = OWN,
    table: bool = False,
    tied: str = "",
    end: str = "self.post_init()",
    init: str = "",
) -> Any:
    """Write the folder, and load it.

    Args:
        find: How the class finds its frequencies; AS_PRINTED takes class and _init_weights of the
            page, TEMPLATE makes it a class as transformers 4 had them.
        table: Give the table of transformers a function for ``default`` before.
        tied: The line that names tied weights; none, and they are not tied.
        end: The last line of the model's constructor.
        init: The model's ``_init_weights``; a parameter that it fills is learned.
    """
    if table:
        ROPE_INIT_FUNCTIONS["default"] = default
    measure(release=transformers.__version__, functions="default" in ROPE_INIT_FUNCTIONS)
    learned = "module.scale" in init
    rotary = ROTARY.format(find=find, scale=LEARNED if learned else "")
    if find == TEMPLATE:
        rotary = rotary.replace("class Rotary", "class OldRotaryEmbedding")
        rotary += "\nRotary = OldRotaryEmbedding\n"
    if find == AS_PRINTED:
        rotary, init = snippet_text("rotary"), textwrap.indent(snippet_text("fill"), "    ")
    parts = {"rotary": rotary, "tied": tied, "end": end, "init": init}
    return load("old-model", parts, weights(tied=bool(tied), learned=learned))


def default(config: Any, device: Any = None, **_: Any) -> Any:
    """Compute the frequencies of a plain rotary embedding, as transformers 4 did."""
    steps = torch.arange(0, config.hidden_size, 2, device=device).float() / config.hidden_size
    return 1.0 / config.rope_theta**steps, 1.0


def weights(*, tied: bool, learned: bool) -> dict[str, torch.Tensor]:
    """Return the weights that the checkpoint holds."""
    torch.manual_seed(0)
    made = {"embed.weight": torch.randn(32, 16), "lm_head.weight": torch.randn(32, 16)}
    if tied:
        del made["lm_head.weight"]
    return made | ({"rotary.scale": torch.full((16,), 0.5)} if learned else {})


def compared(model: Any) -> dict[str, Any]:
    """Compare the logits with those that the formula gives on the weights of the file."""
    held, place = load_file("old-model/model.safetensors"), torch.arange(8.0)
    hidden = held["embed.weight"][:8]
    angles = (place[:, None] / 500.0 ** (torch.arange(0, 16, 2) / 16)).repeat(1, 2)
    turned = hidden * angles.cos() + hidden.flip(-1) * angles.sin()
    wanted = turned * 0.5 @ held.get("lm_head.weight", held["embed.weight"]).T
    with torch.no_grad():
        got = model(torch.arange(8)[None]).logits[0]
    return {"same": bool(torch.allclose(got, wanted, atol=1e-4))}


def checked(model: Any, folder: str) -> dict[str, Any]:
    """Ask the page's check which tensors are not as they should be."""
    wrong = snippet("check", model=model, folder=folder)["wrong"]
    return {"found": bool(wrong), "wrong": ", ".join(wrong)}


def said_by(config: Any) -> dict[str, Any]:
    """Return what a configuration of transformers 5 says of its rotary embedding."""
    said: dict[str, Any] = config.rope_parameters
    return said


def built_in() -> dict[str, Any]:
    """Ask the check about a model of transformers itself, in two dtypes."""
    tiny_llama().save_pretrained("llama")
    said = []
    for dtype in (torch.float32, torch.bfloat16):
        model = AutoModelForCausalLM.from_pretrained("llama", dtype=dtype)
        said.append(checked(model, "llama")["found"])
    measure(base=hasattr(LlamaConfig(), "rope_theta"), held="rope_theta" in said_by(LlamaConfig()))
    return {"asked": len(said), "found": any(said)}
