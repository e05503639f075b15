"""Train on several documents in one row with flash attention, as a script of one's own does."""

from __future__ import annotations

import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

DOCUMENTS = [[5, 9], [7, 3], [4, 8, 6]]
FIRST, LAST = slice(0, 2), slice(4, 7)  # where two of them lie in the row


def numbered(pads: int = 1) -> dict[str, torch.Tensor]:
    """Put all into one row, and number them in the mask: 1 1 2 2 3 3 3 0."""
    rows = [
        (token, place, number)
        for number, document in enumerate(DOCUMENTS, 1) for place, token in enumerate(document)
    ]  # fmt: skip
    ids, positions, mask = torch.tensor(rows + pads * [(0, 0, 0)]).T[:, None]
    return {"input_ids": ids, "position_ids": positions, "attention_mask": mask}


def unpadded() -> dict[str, torch.Tensor]:
    """The same row where no place is left over."""
    return numbered(pads=0)


def boolean() -> dict[str, torch.Tensor]:
    """The same row with a mask that only tells tokens from padding."""
    batch = numbered()
    return batch | {"attention_mask": batch["attention_mask"].bool()}


def one_per_row() -> dict[str, torch.Tensor]:
    """No packing: a row for each document, padded to the longest."""
    longest = max(map(len, DOCUMENTS))
    ids = torch.tensor([document + [0] * (longest - len(document)) for document in DOCUMENTS])
    return {"input_ids": ids, "attention_mask": (ids > 0).long()}


def two_rows() -> dict[str, torch.Tensor]:
    """Two such rows in one batch, without a mask and without padding."""
    batch = numbered(pads=0)
    return {name: batch[name].repeat(2, 1) for name in ("input_ids", "position_ids")}


PACKS = {"numbered": numbered, "unpadded": unpadded, "boolean": boolean, "padded": one_per_row,
         "two-rows": two_rows}  # fmt: skip


def model() -> torch.nn.Module:
    """A tiny Qwen2 with fixed random weights and flash attention."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 16, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    config = Qwen2Config(**sizes, num_attention_heads=2, num_key_value_heads=1, use_cache=False)
    return Qwen2ForCausalLM._from_config(config, attn_implementation="flash_attention_2")


if __name__ == "__main__":
    batch = numbered()
    model()(**batch, labels=batch["input_ids"]).loss.backward()
