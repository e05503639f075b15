"""ZeRO-3 takes no device_map: it spreads a model itself, and only while it is being loaded."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "deepspeed==0.19.8", "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_load import looked, trained

from fixbook.recipe import detect, device, fix, main, non_fix, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "another release, imported anew"


@reproduce()
def device_map_auto() -> dict[str, Any]:
    """As one writes it for inference."""
    return trained(device_map="auto")


@reproduce()
def device_map_of_a_rank() -> dict[str, Any]:
    """As one writes it to load a quantised model on each rank; it is refused before that."""
    return trained(device_map={"": device()})


@reproduce(versions=OLD, record_once=ONCE)
def low_cpu_mem_usage_on_4_46() -> dict[str, Any]:
    """Older releases refuse this too, before they load anything."""
    return trained(low_cpu_mem_usage=True)


@detect(found=True)
def finds_whole_weights() -> dict[str, Any]:
    """The configuration was gone when the model was loaded."""
    return looked(keep=False)


@detect(found=False, control="finds-whole-weights", on="any")
def accepts_partitioned_weights() -> dict[str, Any]:
    """It was there."""
    return looked(keep=True)


@fix("no-device-map", control="device-map-auto")
def without_a_device_map() -> dict[str, Any]:
    """ZeRO-3 partitions each weight as it is loaded."""
    return trained(device_map="auto", chosen=True)


@fix("no-device-map", control="low-cpu-mem-usage-on-4-46", versions=OLD, record_once=ONCE)
def without_either_on_4_46() -> dict[str, Any]:
    """Nor is the other option given."""
    return trained()


@fix("stage-2", control="device-map-of-a-rank", on="any")
def stage_2() -> dict[str, Any]:
    """Stage 2 leaves the weights whole, on the device that is named."""
    return trained(device_map={"": device()}, chosen=True, stage=2)


@non_fix("low-cpu", control="device-map-auto")
def low_cpu_mem_usage_off() -> dict[str, Any]:
    """Today's release ignores it."""
    return trained(device_map="auto", low_cpu_mem_usage=False)


if __name__ == "__main__":
    main(__file__)
