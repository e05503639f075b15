"""Code that came with a model of 2024: what it asks of a cache, the cache had at the time."""

from typing import Any

from transformers import LlamaForCausalLM


class OldModel(LlamaForCausalLM):
    """A Llama that prepares the inputs of ``generate`` by itself, as remote code did."""

    def prepare_inputs_for_generation(
        self,
        input_ids: Any,
        past_key_values: Any = None,
        attention_mask: Any = None,
        **_: Any,
    ) -> dict[str, Any]:
        """Leave out what the cache holds, and of the mask what the cache has no room for."""
        if past_key_values is not None:
            seen = past_key_values.seen_tokens
            limit = past_key_values.get_max_length()
            if limit is not None and attention_mask is not None and attention_mask.shape[1] > limit:
                attention_mask = attention_mask[:, -limit:]
            input_ids = input_ids[:, seen:]
        return {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "past_key_values": past_key_values,
            "use_cache": past_key_values is not None,
        }
