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

from proof_experts import load_and_merge
from proof_models import adapter_on, four_bit, model_with, report, report_usual_models

from fixbook.recipe import detect, fix, main, non_fix, reproduce

PEFT_0_18 = ["peft==0.18.1"]
ONCE = "an older PEFT beside today's"

# Older ones know no target_parameters.
PARAMETERS = ["peft>=0.18"]

# What saves and reads 4-bit weights.
BNB = ["bitsandbytes"]


@reproduce(on="any")
def configuration_of_another_model() -> dict[str, Any]:
    """The weights have 2 heads of keys, config.json says 4."""
    return model_with(num_key_value_heads=4)


@reproduce(on="any")
def adapter_on_another_base() -> dict[str, Any]:
    """The adapter belongs to a model 64 wide, the base is 128 wide."""
    return adapter_on("wider")


@reproduce(on="any", needs=BNB)
def four_bit_without_its_settings() -> dict[str, Any]:
    """config.json has lost its quantization_config."""
    return four_bit(quantization_config=None)


@fix("own-config", control="configuration-of-another-model", on="any")
def configuration_of_its_own() -> dict[str, Any]:
    """config.json from the folder where the weights were saved."""
    return model_with(num_key_value_heads=4, copied=True)


@fix("own-base", control="adapter-on-another-base", on="any")
def adapter_on_its_own_base() -> dict[str, Any]:
    """The base that the adapter names."""
    return adapter_on("wider", as_printed=True)


@fix("keep-quantization", control="four-bit-without-its-settings", on="any", needs=BNB)
def four_bit_with_its_settings() -> dict[str, Any]:
    """Its settings are written into it again."""
    return four_bit(quantization_config=None, put_back=True)


@non_fix("ignore-sizes", control="configuration-of-another-model", on="any")
def sizes_ignored() -> dict[str, Any]:
    """The projections of keys and values are drawn anew."""
    return model_with(num_key_value_heads=4, ignore=True)


@detect(found=True, on="any")
def layer_too_many() -> dict[str, Any]:
    """The file has 2 layers, config.json says 3; nothing raises."""
    return report(num_hidden_layers=3)


@detect(found=False, control="layer-too-many", on="any")
def layers_as_saved() -> dict[str, Any]:
    """As it was saved."""
    return report(num_hidden_layers=2)


@detect(found=True, on="any")
def adapter_on_a_sister() -> dict[str, Any]:
    """A base with other weights and the same shapes; nothing raises."""
    return adapter_on("sister")


@detect(found=False)
def usual_models() -> dict[str, Any]:
    """Sound folders of usual models: nothing to report."""
    return report_usual_models()


@reproduce(on="any", needs=PARAMETERS)
def experts_of_an_older_peft() -> dict[str, Any]:
    """Today's PEFT wants the two widths the other way round."""
    return load_and_merge()


@fix(
    "older-peft",
    control="experts-of-an-older-peft",
    on="any",
    versions=PEFT_0_18,
    record_once=ONCE,
    needs=PARAMETERS,
)
def experts_on_the_older_peft() -> dict[str, Any]:
    """The release that saved it loads it and merges it."""
    return load_and_merge()


if __name__ == "__main__":
    main(__file__)
