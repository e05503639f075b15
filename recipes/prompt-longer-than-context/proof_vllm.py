"""vLLM, imported before the steps."""

import vllm.entrypoints.openai.chat_completion.protocol  # noqa: F401
