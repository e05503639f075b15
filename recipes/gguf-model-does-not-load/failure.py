"""Start llama.cpp on a GGUF file; the reason of a refusal is in its log, not in the exception."""

from typing import Any

import numpy as np

SIZE, WIDE, TOKENS = 32, 64, 64
ASK = {"prompt": [5], "n_predict": 1}


def load(path: str) -> dict[str, bool]:
    """Start a server on the file, and have it answer."""
    from xllamacpp import CommonParams, Server  # type: ignore[import-not-found]

    parameters = CommonParams()
    parameters.model.path = path
    parameters.n_ctx = 64
    parameters.warmup = False
    answer: dict[str, Any] = Server(parameters).handle_completions(ASK)
    return {"loaded": "choices" in answer}


def write(path: str, kind: str = "llama", words: str = "llama-bpe", **one: str) -> None:
    """Write a model of one layer, but for one tensor to `drop`, or to `pack` into 4 bits."""
    import gguf  # type: ignore[import-not-found]

    file: Any = gguf.GGUFWriter(path, kind)
    file.add_context_length(128)
    file.add_embedding_length(SIZE)
    file.add_block_count(1)
    file.add_feed_forward_length(WIDE)
    file.add_head_count(4)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(8)
    file.add_vocab_size(TOKENS)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre(words)
    file.add_token_list([chr(33 + token) for token in range(TOKENS)])
    file.add_token_types([1] * TOKENS)
    file.add_token_merges(["! #"])
    for name, shape in shapes().items():
        if name == one.get("pack"):  # MXFP4, of August 2025: 17 bytes hold 32 numbers
            packed = np.full((shape[0], shape[1] // 32 * 17), 127, dtype=np.uint8)
            file.add_tensor(name, packed, raw_dtype=gguf.GGMLQuantizationType.MXFP4)
        elif name != one.get("drop"):
            file.add_tensor(name, np.ones(shape, dtype=np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def shapes() -> dict[str, tuple[int, ...]]:
    """Return the tensors of a Llama of one layer, in the names of GGUF."""
    layer: dict[str, tuple[int, ...]] = {"attn_norm": (SIZE,), "ffn_norm": (SIZE,)}
    layer |= {f"attn_{name}": (SIZE, SIZE) for name in ("q", "k", "v", "output")}
    layer |= {"ffn_gate": (WIDE, SIZE), "ffn_up": (WIDE, SIZE), "ffn_down": (SIZE, WIDE)}
    named = {f"blk.0.{name}.weight": shape for name, shape in layer.items()}
    ends = {"token_embd.weight": (TOKENS, SIZE), "output_norm.weight": (SIZE,)}
    return ends | {"output.weight": (TOKENS, SIZE)} | named
