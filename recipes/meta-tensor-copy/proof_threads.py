"""Two threads that load at the same time, on an older transformers and today's."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

BUILDING, LOADED, ENDED = threading.Event(), threading.Event(), threading.Event()
LOCKED = threading.Event()


class Large(LlamaForCausalLM):  # type: ignore[no-untyped-call]
    """A model that takes a while to build."""

    def __init__(self, config: LlamaConfig) -> None:
        """Meanwhile the other thread loads; or in this one, that of the other ends."""
        super().__init__(config)
        if threading.current_thread().name == "other":
            BUILDING.set()
            LOADED.wait(0.3 if LOCKED.is_set() else 60)
        else:
            LOADED.set()
            ENDED.wait()


def plain(cls: Any, folder: str, **options: Any) -> Any:
    """Load without a lock."""
    return cls.from_pretrained(folder, **options)


def threads(*, lock: bool = False, crossed: bool = False, tied: bool = False) -> dict[str, Any]:
    """Load while another thread builds its model, and move what was loaded."""
    tiny_llama(tie_word_embeddings=tied).save_pretrained("base")
    load = snippet("lock")["load"] if lock else plain
    if lock:
        LOCKED.set()

    def elsewhere() -> None:
        load(Large, "base")
        ENDED.set()

    def here() -> Any:
        model = load(Large if crossed else LlamaForCausalLM, "base")
        LOADED.set()
        ENDED.wait()
        measure(later_on_meta=nn.Linear(1, 1).weight.is_meta)
        measure(left=[name for name, p in model.named_parameters() if p.is_meta])
        return model.to(device())

    threading.Thread(target=elsewhere, name="other").start()
    BUILDING.wait()
    measure(layer_on_meta=nn.Linear(1, 1).weight.is_meta)
    with ThreadPoolExecutor() as pool:
        model = pool.submit(here).result()
    return {"on_meta": sum(p.is_meta for p in model.parameters())}
