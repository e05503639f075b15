"""A model in a GGUF file, which transformers reads only where the file is named."""

from pathlib import Path
from typing import Any

from failure import load, look, loss_of

from fixbook.recipe import snippet
from fixbook.recipe.helpers import tiny_llama

FOLDER = "models/MODEL-GGUF"
NAMES = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def gguf(mend: str = "") -> dict[str, Any]:
    """Load a folder of config.json and a GGUF file; where it is named, the file is a whole one."""
    model = tiny_llama(num_key_value_heads=4)
    model.config.save_pretrained(FOLDER)
    look(FOLDER)
    if mend:
        write(model, f"{FOLDER}/MODEL.gguf")
        return {"off_by": abs(loss_of(snippet(mend)["model"]) - loss_of(model))}
    Path(FOLDER, "MODEL.gguf").write_bytes(b"GGUF")
    return load(FOLDER, loss_of(model))


def write(model: Any, path: str) -> None:
    """Write the model in GGUF's names, without a tokenizer."""
    from gguf import GGUFWriter  # type: ignore[import-not-found]

    config = model.config
    file: Any = GGUFWriter(path, "llama")
    file.add_context_length(config.max_position_embeddings)
    file.add_embedding_length(config.hidden_size)
    file.add_block_count(config.num_hidden_layers)
    file.add_feed_forward_length(config.intermediate_size)
    file.add_head_count(config.num_attention_heads)
    file.add_head_count_kv(config.num_key_value_heads)
    file.add_layer_norm_rms_eps(config.rms_norm_eps)
    file.add_rope_freq_base(10000.0)
    file.add_vocab_size(config.vocab_size)
    for name, weight in model.state_dict().items():
        file.add_tensor(named(name), ordered(name, weight, config.num_attention_heads).numpy())
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def named(name: str) -> str:
    """Return the name that GGUF has for a weight of Llama."""
    ends = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
    stem, _, kind = name.rpartition(".")
    if stem in ends:
        return f"{ends[stem]}.{kind}"
    _, _, number, part = stem.split(".", 3)
    return f"blk.{number}.{NAMES[part]}.{kind}"


def ordered(name: str, weight: Any, heads: int) -> Any:
    """Return queries and keys in the order of rotation that llama.cpp has."""
    if not name.endswith(("q_proj.weight", "k_proj.weight")):
        return weight
    rows, columns = weight.shape
    pairs = weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2)
    return pairs.reshape(rows, columns).contiguous()
