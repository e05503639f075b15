"""apply_chat_template returns a dict since transformers 5; code of 4 expects ids."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_chat import column, ended, generated, kept, looked, tensor

from fixbook.recipe import detect, fix, main, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LIBRARIES = ["tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *LIBRARIES]
ONCE = "another transformers beside the main one, imported anew"


@reproduce(on="any")
def given_to_generate() -> dict[str, Any]:
    """The lines of most model cards."""
    return generated()


@reproduce()
def made_a_tensor() -> dict[str, Any]:
    """torch.tensor of what is returned."""
    return tensor()


@reproduce()
def appended_to() -> dict[str, Any]:
    """The token that ends an answer, appended."""
    return ended()


@reproduce(on="any", versions=FIRST_5, record_once=ONCE)
def given_to_generate_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return generated()


@detect(found=True)
def length_filter() -> dict[str, Any]:
    """A filter by len: it counts the keys, and nothing is left out."""
    return kept()


@detect(found=True, versions=FIRST_5, record_once=ONCE)
def length_filter_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return kept()


@detect(found=False, control="length-filter-on-5-0", versions=LAST_4, record_once=ONCE)
def length_filter_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return kept()


@detect(found=True)
def mapped_column() -> dict[str, Any]:
    """A column of ids that is made in a map."""
    return column()


@detect(found=True)
def old_script() -> dict[str, Any]:
    """The page's look at a line of 4."""
    return looked()


@detect(found=False, control="old-script")
def new_script() -> dict[str, Any]:
    """The page's look at what works on both."""
    return looked(page=True)


@fix("ids", control="made-a-tensor")
def tensor_of_ids() -> dict[str, Any]:
    """The page's line."""
    return tensor(page=True)


@fix("ids", control="appended-to")
def ids_appended_to() -> dict[str, Any]:
    """The same, where a token is appended."""
    return ended(page=True)


@fix("ids", control="length-filter")
def length_of_ids() -> dict[str, Any]:
    """The same, where len counts."""
    return kept(page=True)


@fix("spread", control="given-to-generate", on="any")
def spread_into_generate() -> dict[str, Any]:
    """The page's lines: ids and mask."""
    return generated(spread=True)


@fix("spread", control="given-to-generate-on-5-0", on="any", versions=FIRST_5, record_once=ONCE)
def spread_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return generated(spread=True)


@fix("older", control="given-to-generate-on-5-0", on="any", versions=LAST_4, record_once=ONCE)
def generated_on_4() -> dict[str, Any]:
    """The last release of 4."""
    return generated()


@non_fix("isinstance-dict", control="made-a-tensor")
def guarded() -> dict[str, Any]:
    """A guard that asks isinstance(ids, dict)."""
    return tensor(guard=True)


if __name__ == "__main__":
    main(__file__)
