"""Code that came with a model: it takes the KV cache as ``past_key_values``, as all code did."""

from typing import Any

from transformers import LlamaForCausalLM


class NamedForward(LlamaForCausalLM):
    """Its ``forward`` names what it takes."""

    def forward(
        self,
        input_ids: Any = None,
        attention_mask: Any = None,
        position_ids: Any = None,
        past_key_values: Any = None,
        use_cache: Any = None,
        return_dict: Any = None,
    ) -> Any:
        """Hand all of it on."""
        return super().forward(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            use_cache=use_cache,
            return_dict=return_dict,
        )


class AnyForward(NamedForward):
    """The same, after ``**kwargs`` was added so that nothing is unexpected."""

    def forward(
        self,
        input_ids: Any = None,
        attention_mask: Any = None,
        position_ids: Any = None,
        past_key_values: Any = None,
        **_: Any,
    ) -> Any:
        """Hand on what it names."""
        return super().forward(input_ids, attention_mask, position_ids, past_key_values)


class OwnPrepare(LlamaForCausalLM):
    """It prepares the inputs of ``generate`` by itself, and relies on a cache."""

    def prepare_inputs_for_generation(
        self,
        input_ids: Any,
        past_key_values: Any = None,
        attention_mask: Any = None,
        **_: Any,
    ) -> dict[str, Any]:
        """Leave out what the cache holds."""
        seen = past_key_values.get_seq_length()
        return {
            "input_ids": input_ids[:, seen:],
            "attention_mask": attention_mask,
            "past_key_values": past_key_values,
        }


class LenientPrepare(OwnPrepare):
    """It does so where there is a cache, and does without where there is none."""

    def prepare_inputs_for_generation(
        self, input_ids: Any, past_key_values: Any = None, **others: Any
    ) -> dict[str, Any]:
        """Leave out what the cache holds, if there is one."""
        if past_key_values is None:
            return {"input_ids": input_ids, "attention_mask": others.get("attention_mask")}
        return super().prepare_inputs_for_generation(input_ids, past_key_values, **others)
