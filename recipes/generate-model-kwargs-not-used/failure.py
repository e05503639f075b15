"""Small models of three families, and calls of generate that hand over what they do not take."""

from __future__ import annotations

from typing import Any

import torch
import transformers

from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

IDS = torch.tensor([[3, 62, 60, 63, 5, 6]])  # 60 stands for the picture
TEXT = {"input_ids": IDS, "attention_mask": torch.ones_like(IDS)}
SIZES: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
SIZES |= {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2}
SIZES |= {"bos_token_id": 1, "eos_token_id": None, "pad_token_id": 0}
PARTS: dict[str, Any] = {"image_token_id": 60, "video_token_id": 61, "vision_start_token_id": 62}
PARTS |= {"tie_word_embeddings": False}
PARTS |= {"rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}}
VISION = {"depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2}
TEMPLATE = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
SAID = [{"role": "user", "content": "the model reads a text"}]


def picture(scale: float = 1.0) -> dict[str, Any]:
    """Return a prompt with a picture, as the processor of a Qwen2.5-VL does."""
    torch.manual_seed(1)
    pixels = torch.randn(4, 1176) * scale
    return TEXT | {"pixel_values": pixels, "image_grid_thw": torch.tensor([[1, 2, 2]])}


def llama() -> Any:
    """Return a small Llama that never ends early."""
    return tiny_llama(num_hidden_layers=1, eos_token_id=None)


def text_model() -> Any:
    """Return a small Qwen2, which reads text alone."""
    torch.manual_seed(0)
    return transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**SIZES)).eval()


def picture_model() -> Any:
    """Return a small Qwen2.5-VL."""
    torch.manual_seed(0)
    vision = VISION | {"out_hidden_size": 32}
    config = transformers.Qwen2_5_VLConfig(vision_config=vision, **SIZES, **PARTS)
    return transformers.Qwen2_5_VLForConditionalGeneration(config).eval()


def seq2seq() -> Any:
    """Return a small T5."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 64, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 1}
    ends = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": None}
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(num_heads=2, **sizes, **ends)
    ).eval()


def tokenizer(*, segments: bool = True) -> Any:
    """Return a tokenizer; with segments, one whose files name token_type_ids as an input."""
    made = tiny_tokenizer()
    made.chat_template = TEMPLATE
    if segments:
        made.model_input_names = ["input_ids", "token_type_ids", "attention_mask"]
    return made


def chat(tokens: Any, **options: Any) -> Any:
    """Turn a conversation into the inputs of a model."""
    return tokens.apply_chat_template(SAID, return_tensors="pt", return_dict=True, **options)


def generate(model: Any, inputs: Any, **options: Any) -> Any:
    """Write four tokens, or as many as the options say."""
    return model.generate(**inputs, do_sample=False, **({"max_new_tokens": 4} | options))
