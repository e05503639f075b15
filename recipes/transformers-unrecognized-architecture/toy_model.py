"""A model of the authors' own, in a file that they put beside the weights."""

from transformers import Qwen3Config, Qwen3ForCausalLM


class ToyConfig(Qwen3Config):
    """A config whose ``model_type`` no release of transformers has."""

    model_type = "toy_qwen"


class ToyModel(Qwen3ForCausalLM):
    """Its model."""

    config_class = ToyConfig
