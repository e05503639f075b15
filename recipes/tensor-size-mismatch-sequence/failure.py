"""A mask or positions that are not as long as the tokens: in a chat, when packing, when cutting."""

from typing import Any

import torch
from transformers import BertConfig, BertModel, DynamicCache, LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

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
    model: Any = LlamaForCausalLM(LlamaConfig(vocab_size=64, **(size | ids | wide | config)))
    model.generation_config.update(max_new_tokens=6, do_sample=False)
    return model.eval().to(device())


@torch.no_grad()
def generated(model: Any, ids: Any, mask: Any) -> Any:
    """Generate in the middle of a training, as it stands."""
    return model.generate(ids, attention_mask=mask)


def bert() -> Any:
    """Return a small BERT for texts of sixteen tokens at most."""
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    limit = {"max_position_embeddings": 16, "num_attention_heads": 4}
    model: Any = BertModel(BertConfig(vocab_size=128, **size, **limit))
    return model.eval().to(device())


def whole(tokenizer: Any, _model: Any, text: str) -> Any:
    """Tokenize all of a text."""
    return tokenizer(text, return_tensors="pt")


@torch.no_grad()
def encode(tokenizer: Any, model: Any, text: str, *, tokenize: Any = whole) -> Any:
    """Return what the model makes of a text, a vector for each token."""
    return model(**tokenize(tokenizer, model, text).to(device())).last_hidden_state


def of_the_turn(model: Any, input_ids: Any, cache: Any, _cached_mask: Any, new_mask: Any) -> Any:
    """Generate with the mask of the new turn alone."""
    return model.generate(input_ids, attention_mask=new_mask, past_key_values=cache)


@torch.no_grad()
def answer(model: Any, *, generate: Any = of_the_turn) -> Any:
    """Answer a second turn after the first was cached."""
    cache, seen, ids = DynamicCache(), SEEN.to(device()), WHOLE.to(device())
    cached, new = seen[:, :8], seen[:, 8:]
    positions = (cached.cumsum(-1) - 1).clamp(min=0)
    model(ids[:, :8], attention_mask=cached, position_ids=positions, past_key_values=cache)
    return generate(model, ids, cache, cached, new)[:, 11:].tolist()


def of_the_documents(sizes: Any, _length: int) -> Any:
    """Return a mask of blocks, one for each document."""
    return torch.block_diag(*(torch.ones(n, n).tril() for n in sizes)).bool()[None, None]


@torch.no_grad()
def packed(model: Any, *, blocks: Any = of_the_documents) -> Any:
    """Read two documents as one row, padded to eight tokens; the mask keeps them apart."""
    ids = torch.tensor([[5, 6, 7, 20, 21, 22, 23, 0]]).to(device())
    positions = torch.tensor([[0, 1, 2, 0, 1, 2, 3, 0]]).to(device())
    mask = blocks([3, 4], 8).to(device())
    return model(input_ids=ids, attention_mask=mask, position_ids=positions).logits


@torch.no_grad()
def read(model: Any, batch: Any, *, mend: Any = dict) -> Any:
    """Read a batch whose positions were made before it was cut, or padded."""
    return model(**{name: value.to(device()) for name, value in mend(batch).items()}).logits
