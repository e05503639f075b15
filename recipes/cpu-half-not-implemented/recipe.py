"""An operation for which torch has no code in the dtype of its tensors."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_old  # noqa: F401  # isort: skip  (before torch)
from proof_run import asked, factored, merged, multiplied, run, wrapped

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE = [
    "transformers==4.37.0",
    "tokenizers==0.15.2",
    "huggingface_hub==0.36.2",
    "numpy==1.26.4",
]
OLD: dict[str, Any] = {
    "import_first": "proof_old",
    "programs": ["cc", "nm", "ldd"],
    "start": "cold",
    "env": {"STAND_IN_LIBRARIES": "1"},
    "record_once": "an older torch is a download of seven hundred megabytes",
}
TORCH_2_1: dict[str, Any] = OLD | {"versions": ["torch==2.1.2", *BESIDE]}
TORCH_2_2: dict[str, Any] = OLD | {"versions": ["torch==2.2.0", *BESIDE]}
TORCH_2_3: dict[str, Any] = OLD | {"versions": ["torch==2.3.0", *BESIDE]}


@reproduce(**TORCH_2_1)
def llama_on_2_1() -> dict[str, Any]:
    """A product of matrices."""
    return run("llama")


@reproduce(**TORCH_2_1)
def gpt2_on_2_1() -> dict[str, Any]:
    """LayerNorm comes before the first product."""
    return run("gpt2")


@reproduce(**TORCH_2_1)
def clip_on_2_1() -> dict[str, Any]:
    """A model of images begins with a convolution."""
    return run("clip")


@reproduce(**TORCH_2_2)
def gpt2_on_2_2() -> dict[str, Any]:
    """This release has products, and no LayerNorm."""
    return run("gpt2")


@reproduce()
def svd_in_bf16() -> dict[str, Any]:
    """No release factors matrices in 16 bits."""
    return factored()


@reproduce()
def sum_in_float8() -> dict[str, Any]:
    """A dtype of 8 bits is for storage and for products that bring their scales."""
    return merged()


@reproduce()
def product_in_float8() -> dict[str, Any]:
    """A linear layer whose weight was stored in 8 bits."""
    return multiplied()


@detect(found=True)
def finds_it_on_the_cpu() -> dict[str, Any]:
    """A model in fp16 that nobody moved."""
    return asked()


@detect(found=False, control="finds-it-on-the-cpu")
def finds_none_if_placed() -> dict[str, Any]:
    """The same after the page's lines."""
    return asked(placed=True)


@detect(found=True)
def runs_on_the_cpu_today() -> dict[str, Any]:
    """Today's torch has the code, and nothing tells that the GPU is not used."""
    done = run("llama")
    return done | {"found": done["device"] == "cpu"}


@fix("place", control="llama-on-2-1", **TORCH_2_1)
def llama_placed() -> dict[str, Any]:
    """No GPU here: bf16."""
    return run("llama", placed=True)


@fix("place", control="gpt2-on-2-1", **TORCH_2_1)
def gpt2_placed() -> dict[str, Any]:
    """The same for LayerNorm."""
    return run("gpt2", placed=True)


@fix("place", control="clip-on-2-1", **TORCH_2_1)
def clip_placed() -> dict[str, Any]:
    """The same for a convolution, whose input is cast too."""
    return run("clip", placed=True)


@fix("newer-torch", control="llama-on-2-1", **TORCH_2_2)
def llama_on_2_2() -> dict[str, Any]:
    """The first release with products in fp16 on the CPU."""
    return run("llama")


@fix("newer-torch", control="gpt2-on-2-2", **TORCH_2_3)
def gpt2_on_2_3() -> dict[str, Any]:
    """The first with LayerNorm."""
    return run("gpt2")


@fix("newer-torch", control="clip-on-2-1", **TORCH_2_3)
def clip_on_2_3() -> dict[str, Any]:
    """Convolutions."""
    return run("clip")


@fix("factor-in-fp32", control="svd-in-bf16")
def factored_in_fp32() -> dict[str, Any]:
    """Cast, factor, cast back."""
    return factored(wide=True)


@fix("widen", control="sum-in-float8")
def widened() -> dict[str, Any]:
    """Compute in 32 bits."""
    return merged(wide=True)


@fix("widen", control="product-in-float8")
def product_widened() -> dict[str, Any]:
    """The weight in the dtype of the input."""
    return multiplied(wide=True)


@non_fix("autocast-cuda", control="llama-on-2-1", **TORCH_2_1)
def under_autocast_of_cuda() -> dict[str, Any]:
    """Without CUDA, it switches itself off."""
    return wrapped()


if __name__ == "__main__":
    main(__file__)
