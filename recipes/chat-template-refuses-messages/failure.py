"""Messages whose order a chat template refuses, rendered here and by llama.cpp's server."""

from typing import Any

import numpy as np

ALTERNATE = "Conversation roles must alternate user/assistant/user/assistant/..."
EXCEPT_TOOLS = (
    "After the optional system message, conversation roles must alternate "
    "user and assistant roles except for tool calls and results."
)
IN_TURN = f"""{{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}}
{{{{ raise_exception('{ALTERNATE}') }}}}{{% endif %}}"""
WRITE = """{% if m['role'] == 'user' %}[INST] {{ m['content'] }} [/INST]{% endif %}
{% if m['role'] == 'assistant' %}{{ m['content'] }}</s>{% endif %}"""
EACH = "{% for m in messages %}"
END = "{% endfor %}"

# What models ask for, in templates of our own that raise what theirs raise.
FIRST_MISTRAL = EACH + IN_TURN + WRITE + END
GEMMA_2 = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}" + FIRST_MISTRAL
)
DEVSTRAL = f"""{{% set turns = namespace(index=0) %}}{EACH}
{{% if m['role'] == 'user' or (m['role'] == 'assistant' and not m.get('tool_calls')) %}}
{{% if (m['role'] == 'user') != (turns.index % 2 == 0) %}}
{{{{ raise_exception('{EXCEPT_TOOLS}') }}}}{{% endif %}}
{{% set turns.index = turns.index + 1 %}}{{% endif %}}
{{% if m['role'] in ['system', 'tool'] %}}[{{{{ m['role'] }}}}] {{{{ m['content'] }}}}{{% endif %}}
{WRITE}{END}"""
QWEN = f"""{EACH}{{% if m['role'] == 'system' and not loop.first %}}
{{{{ raise_exception('System message must be at the beginning.') }}}}{{% endif %}}
{{% if m['role'] not in ['system', 'user', 'assistant', 'tool'] %}}
{{{{ raise_exception('Unexpected message role.') }}}}{{% endif %}}
<|im_start|>{{{{ m['role'] }}}}
{{{{ m['content'] }}}}<|im_end|>
{END}"""
KNOWN_ROLES = EACH + "{% if m['role'] == 'system' %}{{ m['content'] }}{% endif %}" + WRITE + END
DROPS = "{% if messages[0]['role'] == 'system' %}{% set messages = messages[1:] %}{% endif %}"

SIZE, WIDE = 32, 64
WORDS = [chr(33 + token) for token in range(94)] + ["Ġ", "Ċ"]  # space and newline


def render(tokenizer: Any, messages: list[dict[str, Any]]) -> str:
    """Write the prompt for an answer."""
    return str(tokenizer.apply_chat_template(messages, tokenize=False))


def write_gguf(path: str, template: str) -> None:
    """Write a model of one layer with this chat template."""
    import gguf  # type: ignore[import-not-found]

    file: Any = gguf.GGUFWriter(path, "llama")
    file.add_context_length(2048)
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
    file.add_chat_template(template)
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


def serve(template: str, messages: list[dict[str, Any]], instead: str = "") -> str:
    """Return the prompt that llama.cpp's server writes; `instead` is its --chat-template-file."""
    import requests
    from xllamacpp import CommonParams, Server  # type: ignore[import-not-found]

    write_gguf("model.gguf", template)
    parameters = CommonParams()
    parameters.model.path = "model.gguf"
    parameters.n_ctx = 2048
    parameters.warmup = False
    parameters.use_jinja = True
    if instead:
        parameters.chat_template = instead
    server = Server(parameters)
    url = str(server.listening_address)
    body: Any = {"messages": messages, "max_tokens": 2, "ignore_eos": True}
    answer = requests.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    print(answer.text, flush=True)
    answer.raise_for_status()
    prompt = requests.post(f"{url}/apply-template", json=body, timeout=30).json()["prompt"]
    return str(prompt)
