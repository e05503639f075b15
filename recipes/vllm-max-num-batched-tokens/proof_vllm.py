"""vLLM, imported before the steps."""

from fixbook.recipe.helpers.vllm_workers import know_llama

know_llama()
