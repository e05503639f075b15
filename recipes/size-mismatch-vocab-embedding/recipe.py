"""A file whose embedding has other rows than the model it is loaded into."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "peft==0.21.2",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import TAGS, grown, load_adapter, load_model, lora, loss_of, read_base, train

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama

FILE = "adapter/adapter_model.safetensors"


def trained(*, adapter: bool) -> Any:
    """Train the grown model whole, or an adapter on it, and save it beside the base."""
    tiny_llama().save_pretrained("base")
    model = train(lora(grown("base")) if adapter else grown("base"))
    model.save_pretrained("adapter" if adapter else "trained")
    return model


def rows_of(model: Any) -> int:
    """Return the rows of the embedding."""
    return int(model.get_input_embeddings().weight.shape[0])


def compared(model: Any, known: Any) -> dict[str, Any]:
    """Compare the losses of two models on the tags that both have."""
    tags = TAGS[rows_of(model) > TAGS]
    with torch.no_grad():
        off_by = abs(float(loss_of(model, tags) - loss_of(known, tags)))
    return {"rows": rows_of(model), "off_by": off_by}


def adapter_on_base(
    *, rows: int | None = None, ignore: bool = False, as_printed: bool = False
) -> dict[str, Any]:
    """Load the adapter onto the base; ``as_printed``: with the code of the page."""
    known = trained(adapter=True)
    base = read_base("base", rows=rows)
    measure(rows_before=rows_of(base))
    if as_printed:
        model = snippet("resize", base=base)["model"]
        return compared(model, known) | tables(model)
    return compared(load_adapter(base, "adapter", ignore=ignore), known)


def model_from(config: str, *, ignore: bool = False) -> dict[str, Any]:
    """Read the trained model with the configuration of that folder."""
    known = trained(adapter=False)
    return compared(load_model("trained", config, ignore=ignore), known)


def tables(model: Any) -> dict[str, Any]:
    """Compare the rows of the adapter's file with those of the model."""
    rows = set(snippet("table-rows")["table_rows"](FILE).values())
    return {"found": rows != {rows_of(model)}, "in_file": max(rows)}


@reproduce()
def adapter_onto_the_base() -> dict[str, Any]:
    """The base has 128 rows, the adapter's tables 192."""
    return adapter_on_base()


@reproduce()
def model_with_the_base_config() -> dict[str, Any]:
    """The weights have 192 rows, config.json says 128."""
    return model_from("base")


@reproduce()
def state_dict_not_strictly() -> dict[str, Any]:
    """strict=False is about names."""
    state = trained(adapter=False).state_dict()
    read_base("base").load_state_dict(state, strict=False)
    return {}


@fix("rows-of-the-file", control="adapter-onto-the-base")
def adapter_onto_a_resized_base() -> dict[str, Any]:
    """The base is resized to the rows of the adapter's file."""
    return adapter_on_base(as_printed=True)


@fix("own-config", control="model-with-the-base-config")
def model_with_its_own_config() -> dict[str, Any]:
    """The configuration that was saved beside the weights."""
    return model_from("trained")


@non_fix("ignore-sizes", control="adapter-onto-the-base")
def adapter_with_sizes_ignored() -> dict[str, Any]:
    """The trained tables are left out."""
    return adapter_on_base(ignore=True)


@non_fix("ignore-sizes", control="model-with-the-base-config")
def model_with_sizes_ignored() -> dict[str, Any]:
    """Both tables are drawn anew."""
    return model_from("base", ignore=True)


@non_fix("rows-of-the-tokenizer", control="adapter-onto-the-base")
def resized_to_the_tokenizer() -> dict[str, Any]:
    """130 tokens, 192 rows in the file."""
    return adapter_on_base(rows=130)


@detect(found=True)
def rows_on_the_base() -> dict[str, Any]:
    """The file has other rows than the base."""
    trained(adapter=True)
    return tables(read_base("base"))


@detect(found=False, control="rows-on-the-base")
def rows_on_a_grown_base() -> dict[str, Any]:
    """And the same as the base that was grown as for training."""
    trained(adapter=True)
    return tables(grown("base"))


if __name__ == "__main__":
    main(__file__)
