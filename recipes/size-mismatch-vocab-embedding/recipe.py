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

import proof_rows
from failure import grown, read_base
from proof_rows import adapter_on_base, model_from, read_edited_base, read_smaller, rows_on

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
BEFORE_MEANS = [
    "transformers==4.45.2", "tokenizers==0.20.3", "huggingface_hub==0.26.5", "peft==0.13.2",
    "accelerate==1.1.1",
]  # fmt: skip
LAST_4 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
ONCE = "a release of its own, whose message does not change"


@reproduce(on="any")
def adapter_onto_the_base() -> dict[str, Any]:
    """The base has 128 rows, the adapter's tables 192."""
    return adapter_on_base()


@reproduce(on="any")
def adapter_with_untrained_tables() -> dict[str, Any]:
    """The tables were grown and not trained: PEFT stores them all the same."""
    return adapter_on_base(tables="not trained")


@reproduce(on="any")
def adapter_on_an_embedding() -> dict[str, Any]:
    """The embedding is a target of LoRA: PEFT stores the table beneath it."""
    return adapter_on_base(tables="targets")


@reproduce(on="any")
def adapter_of_lora_tables() -> dict[str, Any]:
    """Both tables are targets, and the file holds their LoRA alone, as older PEFT wrote it."""
    return adapter_on_base(tables="by LoRA alone")


@reproduce(on="any")
def vocab_size_passed() -> dict[str, Any]:
    """The model is read with the number of tokens that the tokenizer has now."""
    return proof_rows.more_tokens()


@reproduce(on="any")
def model_with_the_base_config() -> dict[str, Any]:
    """The weights have 192 rows, config.json says 128."""
    return model_from("base")


@reproduce(on="any")
def state_dict_not_strictly() -> dict[str, Any]:
    """strict=False is about names."""
    return proof_rows.load_state_dict()


@detect(found=True, on="any")
def rows_on_the_base() -> dict[str, Any]:
    """The file has other rows than the base."""
    return rows_on(read_base)


@detect(found=False, control="rows-on-the-base", on="any")
def rows_on_a_grown_base() -> dict[str, Any]:
    """And the same as the base that was grown as for training."""
    return rows_on(grown)


@detect(found=False)
def rows_of_usual_models() -> dict[str, Any]:
    """GPT-2, GPT-NeoX, a tied Qwen2 and Gemma 2, as they were saved: a matter of files."""
    return proof_rows.rows_of_usual_models()


@fix("rows-of-the-file", control="adapter-onto-the-base", on="any")
def adapter_onto_a_resized_base() -> dict[str, Any]:
    """The base is resized to the rows of the adapter's file."""
    return adapter_on_base(as_printed=True)


@fix("rows-of-the-file", control="adapter-of-lora-tables", on="any")
def lora_tables_onto_a_resized_base() -> dict[str, Any]:
    """The rows are those of the LoRA."""
    return adapter_on_base(tables="by LoRA alone", as_printed=True)


@reproduce(versions=BEFORE_MEANS, record_once=ONCE)
def adapter_on_4_45() -> dict[str, Any]:
    """A release whose resize_token_embeddings knows no means: a matter of files."""
    return adapter_on_base()


@fix("rows-of-the-file", control="adapter-on-4-45", versions=BEFORE_MEANS, record_once=ONCE)
def on_transformers_4_45() -> dict[str, Any]:
    """The page's lines on it."""
    return adapter_on_base(as_printed=True)


@fix("resize-before-loading", control="state-dict-not-strictly", on="any")
def state_dict_after_resizing() -> dict[str, Any]:
    """The page's lines."""
    return proof_rows.load_state_dict(as_printed=True)


@fix("resize-after", control="vocab-size-passed", on="any")
def resized_after_reading() -> dict[str, Any]:
    """The same, read first."""
    return proof_rows.more_tokens(as_printed=True)


@fix("own-config", control="model-with-the-base-config", on="any")
def model_with_its_own_config() -> dict[str, Any]:
    """The configuration that was saved beside the weights."""
    return model_from("trained")


@non_fix("ignore-sizes", control="adapter-onto-the-base", on="any")
def adapter_with_sizes_ignored() -> dict[str, Any]:
    """The trained tables are left out."""
    return adapter_on_base(ignore=True)


@non_fix("ignore-sizes", control="model-with-the-base-config", on="any")
def model_with_sizes_ignored() -> dict[str, Any]:
    """Both tables are drawn anew."""
    return model_from("base", ignore=True)


@non_fix("rows-of-the-tokenizer", control="adapter-onto-the-base", on="any")
def resized_to_the_tokenizer() -> dict[str, Any]:
    """130 tokens, 192 rows in the file."""
    return adapter_on_base(rows=130)


@non_fix("edit-the-base", control="adapter-onto-the-base")
def base_config_edited() -> dict[str, Any]:
    """The weights of the base still have 128 rows: a matter of files."""
    return read_edited_base()


@reproduce(versions=OLD, record_once=ONCE)
def with_4_46() -> dict[str, Any]:
    """It names the tensor: a matter of files."""
    return read_smaller()


@reproduce(versions=LAST_4, record_once=ONCE)
def with_4_57() -> dict[str, Any]:
    """It names a class and ``weight``, which may be any layer."""
    return read_smaller()


if __name__ == "__main__":
    main(__file__)
