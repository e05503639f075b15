"""Two threads that load at the same time, on an older transformers and today's."""

from __future__ import annotations

import threading
from typing import Any

from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import fix, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


BUILDING, LOADED = threading.Event(), threading.Event()


class Large(LlamaForCausalLM):  # type: ignore[no-untyped-call]
    """A model that takes a while to build."""

    def __init__(self, config: LlamaConfig) -> None:
        """Meanwhile the other thread loads; or in this one, that of the other ends."""
        super().__init__(config)
        if threading.current_thread() is OTHER:
            BUILDING.set()
            LOADED.wait(0.3)
        else:
            LOADED.set()
            OTHER.join()


def plain(cls: Any, folder: str, **options: Any) -> Any:
    """Load without a lock."""
    return cls.from_pretrained(folder, **options)


def accepted(**options: Any) -> bool:
    """Whether from_pretrained takes an option; one that it does not know raises."""
    try:
        plain(LlamaForCausalLM, "base", **options)
    except TypeError:
        return False
    return True


LOAD = [plain]
OTHER = threading.Thread(target=lambda: LOAD[0](Large, "base"))


def threads(
    *, lock: bool = False, crossed: bool = False, tied: bool = False, **options: Any
) -> dict[str, Any]:
    """Load while another thread builds its model, and move what was loaded."""
    tiny_llama(tie_word_embeddings=tied).save_pretrained("base")
    measure(
        taken=bool(options) and accepted(**options),
        misspelt_taken=accepted(low_cpu_mem_usages=False),
    )
    LOAD[0] = snippet("lock")["load"] if lock else plain
    OTHER.start()
    BUILDING.wait()
    measure(layer_on_meta=nn.Linear(1, 1).weight.is_meta)
    model = LOAD[0](Large if crossed else LlamaForCausalLM, "base", **options)
    LOADED.set()
    OTHER.join()
    measure(later_on_meta=nn.Linear(1, 1).weight.is_meta)
    measure(left=snippet("on-meta")["on_meta"](model))
    model.to("cpu")
    return {"on_meta": sum(p.is_meta for p in model.parameters())}


@reproduce(versions=LAST_4, record_once=ONCE)
def loaded_in_two_threads() -> dict[str, Any]:
    """A model is loaded while another thread builds one."""
    return threads()


@reproduce(versions=LAST_4, record_once=ONCE)
def loads_that_cross() -> dict[str, Any]:
    """The one that began first ends first, and takes away what the other had put back."""
    return threads(crossed=True)


@fix("lock", control="loaded-in-two-threads", versions=LAST_4, record_once=ONCE)
def one_after_the_other() -> dict[str, Any]:
    """A lock around from_pretrained."""
    return threads(lock=True)


@non_fix("low-cpu-mem-usage", control="loaded-in-two-threads", versions=LAST_4, record_once=ONCE)
def low_cpu_mem_usage_off() -> dict[str, Any]:
    """An option that this release takes, and drops."""
    return threads(low_cpu_mem_usage=False)


@fix("newer-transformers", control="loaded-in-two-threads", versions=FIRST_5, record_once=ONCE)
def two_threads_on_5_0() -> dict[str, Any]:
    """The first release of transformers 5."""
    return threads()
