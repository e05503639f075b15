"""Models and tokenizers of the real libraries, small enough for a CPU and made without files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_TEXTS = ("the model reads a text and writes the next word", "a loss goes down, or it does not")
_SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")


def tiny_llama(*, seed: int = 0, **config: Any) -> Any:
    """Return a ``LlamaForCausalLM`` with random weights: 2 layers, 32 wide, 128 tokens.

    Args:
        seed: Seed of the weights.
        **config: Fields of ``LlamaConfig`` to set otherwise.
    """
    import torch  # noqa: PLC0415
    from transformers import LlamaConfig, LlamaForCausalLM  # noqa: PLC0415

    defaults: dict[str, Any] = {
        "vocab_size": 128,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 256,
        "pad_token_id": 0,
        "bos_token_id": 2,
        "eos_token_id": 3,
    }
    torch.manual_seed(seed)
    return LlamaForCausalLM(LlamaConfig(**defaults | config))


def tiny_tokenizer(texts: Sequence[str] = _TEXTS, *, vocab_size: int = 128) -> Any:
    """Return a byte-level BPE tokenizer, trained on a few texts, as transformers wraps it.

    It has the special tokens ``<pad>``, ``<unk>``, ``<s>`` and ``</s>`` with the ids 0 to 3;
    letters that the texts do not have become ``<unk>``.

    Args:
        texts: What it is trained on.
        vocab_size: At most this many tokens.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    pad, unknown, begin, end = _SPECIAL
    tokenizer = Tokenizer(models.BPE(unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, special_tokens=list(_SPECIAL), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    wrapper: Any = PreTrainedTokenizerFast  # its constructor has no types
    return wrapper(
        tokenizer_object=tokenizer,
        pad_token=pad,
        unk_token=unknown,
        bos_token=begin,
        eos_token=end,
    )


def tiny_lora(model: Any, **config: Any) -> Any:
    """Put LoRA adapters on a model's attention: rank 4 on ``q_proj`` and ``v_proj``.

    Args:
        model: The model.
        **config: Fields of ``LoraConfig`` to set otherwise.

    Returns:
        The ``PeftModel``.
    """
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415

    defaults: dict[str, Any] = {
        "r": 4,
        "lora_alpha": 8,
        "target_modules": ["q_proj", "v_proj"],
        "task_type": "CAUSAL_LM",
    }
    return get_peft_model(model, LoraConfig(**defaults | config))
