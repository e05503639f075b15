"""The authors' package: importing it tells transformers of their type."""

from toy_model import ToyConfig, ToyModel
from transformers import AutoConfig, AutoModelForCausalLM

AutoConfig.register(ToyConfig.model_type, ToyConfig)
AutoModelForCausalLM.register(ToyConfig, ToyModel)
