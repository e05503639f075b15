"""Weights, and a configuration or a base that is another model's; and what is silent."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "bitsandbytes==0.50.2",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import IDS, LABELS, edit_config, load_adapter, lora, quantize, read, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama


def trained() -> float:
    """Train a model 64 wide with 2 heads of keys, save it in "trained", and return its loss."""
    model = train(tiny_llama(hidden_size=64))
    model.save_pretrained("trained")
    return loss_of(model)


def loss_of(model: Any) -> float:
    """Return the loss on what was trained."""
    with torch.no_grad():
        return float(model.eval()(input_ids=IDS, labels=LABELS).loss)


def model_with(*, ignore: bool = False, **edits: Any) -> dict[str, Any]:
    """Read the model after ``edits`` to its config.json."""
    known = trained()
    edit_config("trained", **edits)
    model = read("trained", ignore=ignore)
    return {"heads": model.config.num_key_value_heads, "off_by": abs(loss_of(model) - known)}


def four_bit(**edits: Any) -> dict[str, Any]:
    """Save the model in 4 bits, and read it after ``edits`` to its config.json."""
    known = trained()
    quantize("trained", "four")
    edit_config("four", **edits)
    return {"off_by": abs(loss_of(read("four")) - known)}


def adapter_on(base: str) -> dict[str, Any]:
    """Train an adapter on "trained", and put it on a base."""
    trained()
    tiny_llama(hidden_size=128).save_pretrained("wider")
    tiny_llama(hidden_size=64, seed=1).save_pretrained("sister")
    model = train(lora(read("trained")))
    model.save_pretrained("adapter")
    name = snippet("its-base")["name"]
    off_by = abs(loss_of(load_adapter(base, "adapter")) - loss_of(model))
    return {"found": name != base, "off_by": off_by}


def report(**edits: Any) -> dict[str, Any]:
    """Ask from_pretrained what did not fit."""
    trained()
    edit_config("trained", **edits)
    problems = snippet("report", folder="trained")["problems"]
    return {"found": any(problems.values()), "missing": len(problems["missing_keys"])}


@reproduce()
def configuration_of_another_model() -> dict[str, Any]:
    """The weights have 2 heads of keys, config.json says 4."""
    return model_with(num_key_value_heads=4)


@reproduce()
def adapter_on_another_base() -> dict[str, Any]:
    """The adapter belongs to a model 64 wide, the base is 128 wide."""
    return adapter_on("wider")


@reproduce()
def four_bit_without_its_settings() -> dict[str, Any]:
    """config.json has lost its quantization_config."""
    return four_bit(quantization_config=None)


@fix("own-config", control="configuration-of-another-model")
def configuration_of_its_own() -> dict[str, Any]:
    """As it was saved."""
    return model_with(num_key_value_heads=2)


@fix("own-base", control="adapter-on-another-base")
def adapter_on_its_own_base() -> dict[str, Any]:
    """The base that the adapter names."""
    return adapter_on("trained")


@fix("keep-quantization", control="four-bit-without-its-settings")
def four_bit_with_its_settings() -> dict[str, Any]:
    """As it was saved."""
    return four_bit()


@non_fix("ignore-sizes", control="configuration-of-another-model")
def sizes_ignored() -> dict[str, Any]:
    """The projections of keys and values are drawn anew."""
    return model_with(num_key_value_heads=4, ignore=True)


@detect(found=True)
def layer_too_many() -> dict[str, Any]:
    """The file has 2 layers, config.json says 3; nothing raises."""
    return report(num_hidden_layers=3)


@detect(found=False, control="layer-too-many")
def layers_as_saved() -> dict[str, Any]:
    """As it was saved."""
    return report(num_hidden_layers=2)


@detect(found=True)
def adapter_on_a_sister() -> dict[str, Any]:
    """A base with other weights and the same shapes; nothing raises."""
    return adapter_on("sister")


@detect(found=False)
def heads_as_saved() -> dict[str, Any]:
    """The recommended fix: nothing to report."""
    return report(num_key_value_heads=2)


if __name__ == "__main__":
    main(__file__)
