"""Weights saved while ZeRO-3 holds them in parts, and what becomes of the file."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "peft==0.21.2",
#     "deepspeed==0.19.8",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_save import ask, by_trainer, load, look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def model_from_module() -> Any:
    """What the module holds between two forwards is empty."""
    return run()


@reproduce(on="any", ranks=2)
def adapter_from_module() -> Any:
    """Adapters are partitioned as well."""
    return run(lora=True)


@reproduce(on="any", ranks=2)
def model_from_trainer() -> Any:
    """The Trainer's model is such a module."""
    return by_trainer()


@reproduce(on="any", ranks=2)
def loaded_into_parts() -> Any:
    """The other way round: the file is whole, and the model empty."""
    return load(partition=True)


@reproduce(on="any", ranks=2)
def loaded_not_strictly() -> Any:
    """It is about missing and unexpected names, not about shapes."""
    return load(partition=True, strict=False)


@detect(found=True, on="any", ranks=2)
def listed_after_a_step() -> Any:
    """Straight after a step everything is empty."""
    return look()


@detect(found=True, on="any", ranks=2)
def listed_above_a_threshold() -> Any:
    """Small parameters are never partitioned."""
    return look(threshold=100)


@detect(found=False, control="listed-after-a-step", on="any", ranks=2)
def listed_after_an_evaluation() -> Any:
    """After a forward without gradients nothing is."""
    return look(evaluate=True)


@detect(found=True, on="any", ranks=2)
def key_beside() -> Any:
    """DeepSpeed does not look for it beside zero_optimization."""
    return ask(beside=True)


@detect(found=False, control="key-beside", on="any", ranks=2)
def key_inside() -> Any:
    """In it, DeepSpeed gathers and saves."""
    return ask(beside=False)


@fix("gather-on-save", control="model-from-module", on="any", ranks=2)
def model_saved_by_engine() -> Any:
    """The engine gathers layer by layer."""
    return run("save")


@fix("gather-on-save", control="model-from-trainer", on="any", ranks=2)
def model_saved_by_trainer() -> Any:
    """The Trainer asks the engine."""
    return by_trainer("trainer")


@fix("gather-on-save", control="model-from-trainer", on="any", ranks=2)
def model_from_accelerate() -> Any:
    """Accelerate gathers all ranks' parts."""
    return by_trainer("accelerate")


@fix("load-before", control="loaded-into-parts", on="any", ranks=2)
def loaded_gathered() -> Any:
    """Rank 0 fills what is gathered, and each rank takes its part."""
    return load(partition=True, gather=True)


@fix("load-before", control="loaded-into-parts", on="any", ranks=2)
def loaded_whole() -> Any:
    """The model is whole as well."""
    return load(partition=False)


@fix("load-before", control="loaded-into-parts", on="any", ranks=2)
def loaded_by_transformers() -> Any:
    """It gathers each parameter that it fills."""
    return load(partition=True, pretrained=True)


@fix("gather-yourself", control="model-from-module", on="any", ranks=2)
def model_gathered() -> Any:
    """The module is whole while it is saved."""
    return run("save-gathered")


@fix("gather-yourself", control="adapter-from-module", on="any", ranks=2)
def adapter_gathered() -> Any:
    """Only the adapters are gathered."""
    return run("save-gathered", lora=True)


@fix("from-the-checkpoint", control="model-from-module", on="any", ranks=2)
def model_from_checkpoint() -> Any:
    """The partitions are in the checkpoint."""
    return run("checkpoint")


@non_fix("ignore-sizes", control="model-from-module", on="any", ranks=2)
def sizes_ignored() -> Any:
    """Every weight is drawn anew."""
    return run(ignore=True)


if __name__ == "__main__":
    main(__file__)
