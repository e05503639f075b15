"""A model as it is trained: the real transformers and PEFT code, on tensors without data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM

from fixbook.fit.plan import ALL_LINEAR
from fixbook.fit.quantized import prepare, quantize

if TYPE_CHECKING:
    from fixbook.fit.plan import Adapter, Plan


def built(plan: Plan, layers: int | None = None) -> nn.Module:
    """Return the model of a plan, ready to be trained. Call it under a fake tensor mode.

    Args:
        plan: The plan.
        layers: How many layers it has, if not as many as the configuration says.
    """
    config = configuration(plan, layers)
    precision = getattr(torch, plan.weights)
    model: nn.Module = AutoModelForCausalLM.from_config(
        config,
        attn_implementation="eager" if plan.attention == "eager" else "sdpa",
        dtype=precision,
    )
    if plan.quantized:
        quantize(model, plan.quantized, precision, double=plan.double_quantized)
        if plan.prepared:
            prepare(model)
    if plan.adapter:
        model = _adapted(model, plan.adapter)
    if plan.checkpointing:
        reentrant = plan.checkpointing == "reentrant"
        enable: Any = model.gradient_checkpointing_enable
        enable({"use_reentrant": reentrant})
        if plan.adapter:
            embed: Any = model.enable_input_require_grads
            embed()
    model.train()
    return model


def configuration(plan: Plan, layers: int | None = None) -> Any:
    """Return the model's configuration as transformers reads it.

    Raises:
        ValueError: This release of transformers does not know the model.
    """
    said = {key: value for key, value in plan.model.items() if key != "quantization_config"}
    kind = said.pop("model_type", "")
    config = AutoConfig.for_model(kind, **said)
    config.use_cache = False
    if layers is not None:
        config.num_hidden_layers = layers
        if getattr(config, "layer_types", None):
            config.layer_types = config.layer_types[:layers]
    return config


def layers_of(model: nn.Module) -> nn.ModuleList | None:
    """Return the list of a model's layers: the one with most weights, which are all alike."""
    lists = [one for one in model.modules() if isinstance(one, nn.ModuleList) and len(one)]
    return max(lists, key=_weights, default=None)


def _weights(module: nn.Module) -> int:
    return sum(one.numel() for one in module.parameters())


def _adapted(model: nn.Module, adapter: Adapter) -> nn.Module:
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415  (needed for adapters alone)

    targets: Any = list(adapter.targets) or None
    if adapter.targets == (ALL_LINEAR,):
        targets = ALL_LINEAR
    config = LoraConfig(
        task_type="CAUSAL_LM",
        r=adapter.rank,
        target_modules=targets,
        use_dora=adapter.dora,
        modules_to_save=list(adapter.saved) or None,
    )
    changed: nn.Module = get_peft_model(model, config)
    for parameter in changed.parameters():
        if parameter.requires_grad:
            parameter.data = parameter.data.to(getattr(torch, adapter.precision))
    return changed
