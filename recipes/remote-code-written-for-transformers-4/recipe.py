"""Code that came with a model, written for transformers 4, loaded by transformers 5."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_old import (
    AS_PRINTED,
    FILL,
    GUARDED,
    IN_PLACE,
    LIST,
    SCALING,
    TABLE,
    TEMPLATE,
    built_in,
    old,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet_text

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1", *HTTP]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "another transformers beside the main one, imported anew"


@reproduce()
def table_without_default() -> dict[str, Any]:
    """The code asks the table of transformers for "default"."""
    return old(find=TABLE)


@reproduce()
def scaling_type() -> dict[str, Any]:
    """The code takes any rope_scaling for one with a type."""
    return old(find=SCALING)


@reproduce()
def list_of_tied_weights() -> dict[str, Any]:
    """The code names its tied weights in a list."""
    return old(tied=LIST, init=FILL)


@reproduce()
def without_post_init() -> dict[str, Any]:
    """The constructor does not end with post_init."""
    return old(end="pass", init=FILL)


@reproduce(versions=FIRST_5, record_once=ONCE)
def table_on_5_0() -> dict[str, Any]:
    """The first release of 5."""
    return old(find=TABLE)


@detect(found=True)
def own_buffer() -> dict[str, Any]:
    """The code computes its frequencies in the constructor: nothing raises."""
    return old()


@detect(found=True, versions=FIRST_5, record_once=ONCE)
def own_buffer_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return old()


@detect(found=True)
def overwritten() -> dict[str, Any]:
    """The model's _init_weights writes in place, into what was loaded."""
    return old(init=IN_PLACE)


@detect(found=False, control="overwritten")
def guarded() -> dict[str, Any]:
    """The same by torch's functions, which transformers guards."""
    return old(init=GUARDED)


@detect(found=False)
def models_of_transformers() -> dict[str, Any]:
    """Llama, in two dtypes."""
    return built_in()


@detect(found=False, control="own-buffer", versions=LAST_4, record_once=ONCE)
def own_buffer_on_4() -> dict[str, Any]:
    """The same code on the last release of 4."""
    return old()


@fix("older", control="table-without-default", versions=LAST_4, record_once=ONCE)
def table_on_4() -> dict[str, Any]:
    """The table of the last release of 4."""
    return old(find=TABLE)


@fix("older", control="list-of-tied-weights", versions=LAST_4, record_once=ONCE)
def list_on_4() -> dict[str, Any]:
    """The list on the last release of 4."""
    return old(tied=LIST, init=FILL)


@fix("older", control="without-post-init", versions=LAST_4, record_once=ONCE)
def without_post_init_on_4() -> dict[str, Any]:
    """No post_init, on the last release of 4."""
    return old(end="pass", init=FILL)


@fix("rope", control="table-without-default")
def own_frequencies() -> dict[str, Any]:
    """The page's class and its _init_weights."""
    return old(find=AS_PRINTED)


@fix("tied", control="list-of-tied-weights")
def mapping_of_tied_weights() -> dict[str, Any]:
    """The page's line."""
    return old(tied=snippet_text("tied"), init=FILL)


@fix("post-init", control="without-post-init")
def with_post_init() -> dict[str, Any]:
    """The page's line at the end of the constructor."""
    return old(end=snippet_text("post-init"), init=FILL)


@fix("by-hand", control="own-buffer")
def loaded_by_hand() -> dict[str, Any]:
    """The page's lines."""
    return old(by_hand=True)


@non_fix("table", control="table-without-default")
def table_with_default() -> dict[str, Any]:
    """A function for "default", registered before loading."""
    return old(find=TABLE, table=True)


@detect(found=False, needs=["transformers>=5"])
def template_with_default() -> dict[str, Any]:
    """A class that transformers knows by its name and buffers, and fills itself."""
    return old(find=TEMPLATE, table=True)


if __name__ == "__main__":
    main(__file__)
