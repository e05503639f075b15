"""A mask or positions that are not as long as the tokens: in a chat, when packing, when cutting."""

from typing import Any

import torch
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

FIRST = torch.tensor([[0, 0, 0, 5, 6, 7, 8, 9], [20, 21, 22, 23, 24, 25, 26, 27]])
SECOND = torch.tensor([[10, 11, 12], [30, 31, 32]])
WHOLE = torch.cat([FIRST, SECOND], 1)
SEEN = torch.cat([FIRST.ne(0), torch.ones(2, 3)], 1).long()  # 0 where a row is padded


def llama(**config: Any) -> Any:
    """Return a small Llama whose pad token is its end token, as is common."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    ids = {"pad_token_id": 0, "eos_token_id": 0, "num_attention_heads": 4}
    wide = {"initializer_range": 0.2}  # random weights that tell tokens apart
    config = size | ids | wide | config
    return LlamaForCausalLM(LlamaConfig(vocab_size=64, **config)).eval()


@torch.no_grad()
def answer(model: Any, *, mask: Any = "turn") -> Any:
    """Answer a second turn after the first was cached; the mask is of the turn, of all, or None."""
    cache, seen = DynamicCache(), SEEN[:, :8]
    positions = (seen.cumsum(-1) - 1).clamp(min=0)
    model(FIRST, attention_mask=seen, position_ids=positions, past_key_values=cache)
    masks: dict[Any, Any] = {"turn": SEEN[:, 8:], "all": SEEN}
    given = {} if mask is None else {"attention_mask": masks[mask]}
    told: dict[str, Any] = {"max_new_tokens": 6, "do_sample": False}
    return model.generate(WHOLE, past_key_values=cache, **given, **told)[:, 11:].tolist()


@torch.no_grad()
def packed(model: Any, *, pad_first: bool = False) -> Any:
    """Read two documents as one row, padded to eight tokens; the mask keeps them apart."""
    ids = torch.tensor([[5, 6, 7, 20, 21, 22, 23]])
    padded = torch.nn.functional.pad(ids, (0, 1))
    sizes = (3, 4, 1) if pad_first else (3, 4)
    blocks = torch.block_diag(*(torch.ones(n, n).tril() for n in sizes)).bool()
    positions = torch.tensor([[0, 1, 2, 0, 1, 2, 3, 0]])
    return model(input_ids=padded, attention_mask=blocks[None, None], position_ids=positions).logits


@torch.no_grad()
def cut(model: Any, *, positions_too: bool = False) -> Any:
    """Cut a text of eleven tokens to eight after its positions were made."""
    positions = torch.arange(11)[None]
    positions = positions[:, :8] if positions_too else positions
    return model(input_ids=WHOLE[1:, :8], position_ids=positions).logits
