"""transformers 5 saves the rope as rope_parameters, which transformers 4 ignores without a word."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from failure import BY_4, BY_5, llama
from proof_rope import compare

from fixbook.recipe import detect, fix, main


@detect(found=False)
def what_5_saves() -> dict[str, Any]:
    """Only ``rope_parameters``, with theta inside; none of the words of 4 is found."""
    llama().save_pretrained("saved")
    saved = json.loads(Path("saved", "config.json").read_text())
    rope = {key: value for key, value in saved.items() if key.startswith("rope_")}
    return {"found": rope != BY_5, "keys": ", ".join(rope)}


@fix("read-with-5", control="read-by-4-57")
def read_by_5() -> dict[str, Any]:
    """The release that wrote it reads it."""
    return compare()


@detect(found=False)
def both_forms_read_by_5() -> dict[str, Any]:
    """The older words do no harm there."""
    return compare(rewrite=True)


@detect(found=False)
def words_of_4_read_by_5() -> dict[str, Any]:
    """The other way round nothing is lost."""
    return compare(BY_4)


@detect(found=False)
def trained_by_4_read_by_5() -> dict[str, Any]:
    """What 4 has trained with theta 10,000 and saved: 5 takes that of before, the check agrees."""
    return compare({**BY_5, "rope_theta": 10000.0, "rope_scaling": None})


if __name__ == "__main__":
    main(__file__)
