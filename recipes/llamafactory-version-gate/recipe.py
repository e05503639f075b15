"""LLaMA-Factory refuses the installed releases; its check can be switched off."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
#     "pyyaml==6.0.3",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_pip import install
from proof_run import option, run, unquoted

from fixbook.recipe import detect, fix, main, non_fix, reproduce

FACTORY = ["llamafactory==0.9.5", "omegaconf==2.3.0", "antlr4-python3-runtime==4.9.3"]
OTHERS = ["datasets==4.0.0", "peft==0.20.0", "trl==0.24.0"]
OLDER = [
    "transformers==5.6.0", "tokenizers==0.22.2", "huggingface_hub==1.17.0", "httpx==0.28.1",
    "httpcore==1.0.9",
]  # fmt: skip
ONCE = "LLaMA-Factory and the releases beside it, imported anew"
OFF = {"DISABLE_VERSION_CHECK": "1"}
# transformers of today, and the other four within the bounds
NEWEST: dict[str, Any] = {"versions": [*FACTORY, *OTHERS], "record_once": ONCE, "start": "cold"}
WITHIN: dict[str, Any] = {
    "versions": [*FACTORY, *OTHERS, *OLDER], "record_once": ONCE, "start": "cold",
}  # fmt: skip


@reproduce(**NEWEST)
def outside_the_bounds() -> dict[str, Any]:
    """Releases of today."""
    return run()


@reproduce(env=OFF, **NEWEST)
def check_off_on_5_23() -> dict[str, Any]:
    """The check is off, and the first step fails."""
    return run()


@detect(found=True, **NEWEST)
def asked_outside() -> dict[str, Any]:
    """Releases of today."""
    return install()


@detect(found=False, control="asked-outside", **NEWEST)
def asked_within() -> dict[str, Any]:
    """After the first fix."""
    return install("upgrade")


@fix("upgrade", control="outside-the-bounds", **WITHIN)
def within_the_bounds() -> dict[str, Any]:
    """All five within the bounds."""
    return run()


@fix("upgrade", control="asked-outside", **NEWEST)
def upgraded() -> dict[str, Any]:
    """What pip installs."""
    return install("upgrade")


@fix("quotes", control="asked-outside", **NEWEST)
def quoted() -> dict[str, Any]:
    """The command of the message, in quotes."""
    return install("quotes")


@fix(
    "bypass",
    control="outside-the-bounds",
    start="cold",
    record_once=ONCE,
    versions=["transformers==5.22.0", *FACTORY, *OTHERS],
)
def check_off_on_5_22() -> dict[str, Any]:
    """The check is off, and it trains."""
    return run(printed=True)


@fix("no-checkpointing", control="check-off-on-5-23", env=OFF, **NEWEST)
def without_checkpointing() -> dict[str, Any]:
    """The activations are kept."""
    return run(**option())


@non_fix("unquoted", control="outside-the-bounds", **NEWEST)
def in_a_shell() -> dict[str, Any]:
    """The shell takes the bounds for files."""
    return unquoted()


@non_fix(
    "one-package",
    control="outside-the-bounds",
    start="cold",
    record_once=ONCE,
    versions=[*FACTORY, *OLDER],
)
def transformers_alone() -> dict[str, Any]:
    """Datasets is too new for what came with it."""
    return run()


if __name__ == "__main__":
    main(__file__)
