"""transformers 5 saves the rope as rope_parameters, which transformers 4 ignores without a word."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import BY_5, PHI, QWEN, phi, qwen
from proof_rope import check_usual_models, compare, save_again, saved_keys, stop

from fixbook.recipe import detect, fix, main, reproduce

LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", "tokenizers==0.22.1"]
HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"

# What transformers 5 does: 4 is the failure.
FIVE = ["transformers>=5"]


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def read_by_4_57() -> dict[str, Any]:
    """It knows no ``rope_parameters``."""
    return compare()


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def qwen_read_by_4_57() -> dict[str, Any]:
    """The same without scaling, for a model whose theta is a million."""
    return compare(QWEN, make=qwen)


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def phi_read_by_4_57() -> dict[str, Any]:
    """The same for a model that turns a part of each head."""
    return compare(PHI, make=phi)


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def check_stops_it() -> None:
    """The check ends it before the model is used."""
    stop()


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def check_stops_theta_alone() -> None:
    """The same where theta was added, and the scaling was not."""
    stop({**BY_5, "rope_theta": 500000.0})


@detect(found=False, on="any", needs=FIVE)
def usual_models() -> dict[str, Any]:
    """The check lets usual models pass, whatever their kind of RoPE."""
    return check_usual_models()


@detect(found=False, needs=FIVE)
def what_5_saves() -> dict[str, Any]:
    """Only ``rope_parameters``, with theta inside; none of the words of 4 is found."""
    return saved_keys()


@fix("both-forms", control="read-by-4-57", on="any", versions=LAST_4, record_once=ONCE)
def both_forms_read_by_4_57() -> dict[str, Any]:
    """Theta and scaling are there in the words of 4 too."""
    return compare(rewrite=True)


@fix("both-forms", control="qwen-read-by-4-57", on="any", versions=LAST_4, record_once=ONCE)
def qwen_in_both_forms() -> dict[str, Any]:
    """The same without scaling."""
    return compare(QWEN, make=qwen, rewrite=True)


@fix("both-forms", control="phi-read-by-4-57", on="any", versions=LAST_4, record_once=ONCE)
def phi_in_both_forms() -> dict[str, Any]:
    """The same for a part of each head."""
    return compare(PHI, make=phi, rewrite=True)


@detect(found=False, on="any", needs=FIVE)
def both_forms_read_by_5() -> dict[str, Any]:
    """The older words do no harm there."""
    return compare(rewrite=True)


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def theta_alone() -> dict[str, Any]:
    """Theta is right, and the scaling is still lost."""
    return compare({**BY_5, "rope_theta": 500000.0})


@fix("read-with-5", control="read-by-4-57", on="any", needs=FIVE)
def read_by_5() -> dict[str, Any]:
    """The release that wrote it reads it."""
    return compare()


@detect(found=False, control="read-by-4-57", on="any", versions=FIRST_5, record_once=ONCE)
def read_by_5_0() -> dict[str, Any]:
    """The first release that writes it reads it."""
    return compare()


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def saved_again_by_4_57() -> dict[str, Any]:
    """Read and saved again, the folder has both: what was saved first, and what was used."""
    return save_again()


@detect(found=False, on="any", needs=FIVE)
def trained_by_4_read_by_5() -> dict[str, Any]:
    """What 4 has trained with theta 10,000 and saved: 5 takes that of before, the check agrees."""
    return compare({**BY_5, "rope_theta": 10000.0, "rope_scaling": None})


if __name__ == "__main__":
    main(__file__)
