"""One flat parameter has one dtype: FSDP1 refuses a unit that has two."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "bitsandbytes==0.50.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import BF16, adapt, keep_norms_in_float32, shard, wrap
from proof_training import (
    apart,
    as_one_unit,
    attempt,
    base,
    four_bit,
    full,
    look,
    lora,
    sharded,
    stock_models,
    train,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

FOUR_BIT = ["bitsandbytes"]


@reproduce(on="any", ranks=2)
def lora_in_float32() -> Any:
    """PEFT keeps adapters in float32, the layers around them are bf16."""
    return train(wrap(lora()))


@reproduce(on="any", ranks=2)
def norms_in_float32() -> Any:
    """Everything is trained, and two dtypes meet in each layer."""
    return attempt(full(), orig=False)


@reproduce(on="any", ranks=2)
def norms_under_fsdp2() -> Any:
    """FSDP2 wants one dtype of all that a unit trains."""
    return train(shard(full(), compute=BF16))


@reproduce(on="any", ranks=2, needs=FOUR_BIT)
def four_bit_in_float32() -> Any:
    """The packed weights look like float32."""
    return four_bit(torch.float32)


@reproduce(on="any", ranks=2, needs=FOUR_BIT)
def four_bit_in_uint8() -> Any:
    """They look like integers, which is the default."""
    return four_bit(torch.uint8)


@reproduce(on="any", ranks=2, needs=FOUR_BIT)
def four_bit_in_uint8_as_one_unit() -> Any:
    """They come after the embeddings, which are floating point, and the other message is raised."""
    return four_bit(torch.uint8, as_one_unit)


@detect(found=True, on="any")
def listed() -> Any:
    """The adapters are listed."""
    return look(adapt(base(), upcast=True))


@detect(found=True, on="any")
def listed_for_fsdp2() -> Any:
    """Of a model that is trained as a whole, the norms."""
    return look(keep_norms_in_float32(base()), fsdp=2)


@detect(found=False, control="listed", on="any")
def nothing_listed() -> Any:
    """Nothing is left."""
    return look(adapt(base(), upcast=False))


@detect(found=False, on="any")
def nothing_listed_of_stock_models() -> Any:
    """Each has one dtype."""
    rows = sum(look(model, fsdp)["rows"] for model in stock_models() for fsdp in (1, 2))
    return {"found": rows > 0}


@fix("fsdp2", control="lora-in-float32", on="any", ranks=2)
def lora_under_fsdp2() -> Any:
    """FSDP2 has no flat parameter."""
    return train(sharded(lora()))


@fix("adapters-apart", control="lora-in-float32", on="any", ranks=2)
def adapters_apart() -> Any:
    """Each adapter is a unit of its own."""
    return train(apart(lora()))


@fix("all-in-float32", control="norms-in-float32", on="any", ranks=2)
def all_in_float32() -> Any:
    """FSDP casts to bf16 for the computation."""
    return attempt(full(dtype=torch.float32), orig=False)


@fix("all-in-float32", control="norms-under-fsdp2", on="any", ranks=2)
def all_in_float32_under_fsdp2() -> Any:
    """The same under FSDP2."""
    return train(shard(full(dtype=torch.float32), compute=BF16))


@fix("storage", control="four-bit-in-float32", on="any", ranks=2, needs=FOUR_BIT)
def four_bit_in_bf16() -> Any:
    """They look like the rest of the model."""
    return four_bit(torch.bfloat16)


@fix("adapters-in-bf16", control="lora-in-float32", on="any", ranks=2)
def lora_in_bf16() -> Any:
    """One dtype, and adapters that round their steps away."""
    return train(wrap(lora(upcast=False)))


@non_fix("orig-params", control="norms-in-float32", on="any", ranks=2)
def orig_params() -> Any:
    """The parameters are kept as views, into one flat parameter still."""
    return attempt(full(), orig=True)


if __name__ == "__main__":
    main(__file__)
