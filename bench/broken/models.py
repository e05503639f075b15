"""Mistakes with the libraries of models: what transformers, peft, datasets and others say."""

from __future__ import annotations

from typing import Any

import torch


def _model(**more: Any) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=64,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        **more,
    )
    return LlamaForCausalLM(config)


def adapters_without_target() -> None:
    """Names of another architecture."""
    from peft import LoraConfig, get_peft_model

    get_peft_model(_model(), LoraConfig(target_modules=["query_key_value"], task_type="CAUSAL_LM"))


def unknown_attention() -> None:
    """An attention that no release has."""
    _model(attn_implementation="flash_attention_9")


def evaluation_without_data() -> None:
    """A trainer that shall evaluate and has nothing to."""
    from transformers import Trainer, TrainingArguments

    Trainer(_model(), TrainingArguments("out", eval_strategy="steps", eval_steps=5, use_cpu=True))


def no_padding_token() -> None:
    """A tokenizer that cannot pad."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    plain = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0}, "a")))
    plain(["a", "a a"], padding=True)


def no_chat_template() -> None:
    """A base model is asked to chat."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    plain = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0}, "a")))
    plain.apply_chat_template([{"role": "user", "content": "a"}])


def model_that_is_not_there() -> None:
    """A folder with a typing mistake, and no network."""
    from transformers import AutoConfig

    AutoConfig.from_pretrained("./outputs/chekpoint-500")


def tied_weights_saved_twice() -> None:
    """Two names for one tensor."""
    from safetensors.torch import save_file

    tied = torch.zeros(4, 4)
    save_file({"embed": tied, "lm_head": tied}, "model.safetensors")


def header_of_another_format() -> None:
    """A pointer of Git LFS instead of weights."""
    from safetensors.torch import load_file

    with open("pointer.safetensors", "w", encoding="ascii") as file:
        file.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 4980\n")
    load_file("pointer.safetensors")


def column_that_is_not_there() -> None:
    """A data set with other columns."""
    from datasets import Dataset

    Dataset.from_dict({"prompt": ["a"]}).remove_columns(["response"])


def odd_rows_in_a_column() -> None:
    """Arrow wants one type for a column."""
    from datasets import Dataset

    Dataset.from_list([{"content": "a"}, {"content": {"type": "text"}}])
