"""Send a conversation to llama.cpp's server, and have it refused for its length."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import requests

SIZE, WIDE = 32, 64
WORDS = [chr(33 + token) for token in range(94)] + ["Ġ", "Ċ"]  # space and newline


def start(path: str, *, context: int, slots: int = 1) -> Any:
    """Start the server with -c and -np."""
    from xllamacpp import CommonParams, Server  # type: ignore[import-not-found]

    parameters = CommonParams()
    parameters.model.path = path
    parameters.n_ctx = context
    parameters.n_parallel = slots
    parameters.warmup = False
    return Server(parameters)


def ask(server: str, messages: list[dict[str, str]], max_tokens: int) -> Any:
    """Ask for an answer; the reason of a refusal is in the body of the response."""
    body: Any = {"messages": messages, "max_tokens": max_tokens, "ignore_eos": True}
    answer = requests.post(f"{server}/v1/chat/completions", json=body, timeout=30)
    print(answer.text, flush=True)
    answer.raise_for_status()
    return answer.json()


class VLLM:
    """What vLLM checks of a request, without its server."""

    def __init__(self, length: int, *, prompt: int) -> None:
        """Take the server's max_model_len, and the tokens that a prompt has."""
        self.model = SimpleNamespace(max_model_len=length)
        self.prompt = {"prompt_token_ids": [1] * prompt}

    def create(self, **request: Any) -> int:
        """Check the request; return the tokens of its prompt."""
        from vllm.entrypoints.openai.chat_completion.protocol import (  # type: ignore[import-not-found]
            ChatCompletionRequest,
        )

        limits = ChatCompletionRequest(**request).build_tok_params(self.model)
        return len(limits.apply_post_tokenization(None, self.prompt)["prompt_token_ids"])


def write(path: str, *, trained: int) -> None:
    """Write a model of one layer that was trained for this many tokens."""
    import gguf  # type: ignore[import-not-found]

    file: Any = gguf.GGUFWriter(path, "llama")
    file.add_context_length(trained)
    file.add_embedding_length(SIZE)
    file.add_block_count(1)
    file.add_feed_forward_length(WIDE)
    file.add_head_count(4)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(8)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("llama-bpe")
    file.add_token_list(WORDS)
    file.add_token_types([1] * len(WORDS))
    file.add_token_merges(["! #"])
    ends: dict[str, tuple[int, ...]] = {"output_norm": (SIZE,)}
    ends |= {"token_embd": (len(WORDS), SIZE), "output": (len(WORDS), SIZE)}
    layer: dict[str, tuple[int, ...]] = {"attn_norm": (SIZE,), "ffn_norm": (SIZE,)}
    layer |= {"ffn_gate": (WIDE, SIZE), "ffn_up": (WIDE, SIZE), "ffn_down": (SIZE, WIDE)}
    layer |= {f"attn_{name}": (SIZE, SIZE) for name in ("q", "k", "v", "output")}
    for name, shape in (ends | {f"blk.0.{name}": shape for name, shape in layer.items()}).items():
        file.add_tensor(f"{name}.weight", np.ones(shape, dtype=np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()
