"""Code that is compiled for every value it meets, up to the limit of eight, and then no more."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import orthogonalize, stack, warm_up
from proof_counts import count, count_in_thread, detached, launched, own_limit, register

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# Older ones leave it to torch.compile whether shapes are dynamic, though the launcher says False.
STATIC = ["accelerate>=1.7"]


@detect(found=True, needs=STATIC)
def lengths_launched() -> Any:
    """Ten lengths: training ends well, and what it said is in its log."""
    return launched("before.yaml")


@reproduce(on="any")
def counter() -> Any:
    """An integer attribute of the module that each call raises by one."""
    return count(warm_up)


@reproduce(on="any")
def counter_with_dynamic_shapes() -> Any:
    """Dynamic shapes are about sizes of tensors, not about attributes."""
    return count(warm_up, dynamic=True)


@reproduce(on="any")
def weights() -> Any:
    """Ten parameters, ten shapes; the shape of a parameter is taken for fixed."""
    return count(orthogonalize)


@reproduce(on="any")
def layers() -> Any:
    """Ten layers, each with a number of its own."""
    return count(stack)


@reproduce(on="any")
def weights_in_another_thread() -> Any:
    """The limit was raised, in the thread that started this one."""
    return count_in_thread(orthogonalize, limit=64)


@detect(found=True, needs=STATIC)
def raised() -> Any:
    """The line on the page ends the training at the limit."""
    return launched("before.yaml", check=True)


@detect(found=False, control="raised", needs=STATIC)
def not_raised() -> Any:
    """Dynamic shapes stay below it."""
    return launched("after.yaml", check=True)


@fix("dynamic-shapes", control="lengths-launched", needs=STATIC)
def lengths_dynamic() -> Any:
    """The launcher is told to."""
    return launched("after.yaml")


@fix("one-length", control="lengths-launched", needs=STATIC)
def lengths_padded() -> Any:
    """Each text is padded to one length."""
    return launched("before.yaml", padded=True)


@fix("counter-as-tensor", control="counter", on="any")
def counter_as_tensor() -> Any:
    """The counter is a tensor."""
    return count(warm_up, keep=register)


@fix("detach-weights", control="weights", on="any")
def weights_detached() -> Any:
    """The same as plain tensors."""
    return count(orthogonalize, call=detached)


@fix("raise-the-limit", control="weights", on="any")
def weights_with_a_higher_limit() -> Any:
    """As many compilations as there are shapes, and no more."""
    return count(orthogonalize, compile_it=own_limit)


@fix("raise-the-limit", control="layers", on="any")
def layers_with_a_higher_limit() -> Any:
    """A compilation for each layer."""
    return count(stack, compile_it=own_limit)


@fix("raise-the-limit", control="weights-in-another-thread", on="any")
def limit_in_another_thread() -> Any:
    """A limit that belongs to what was compiled holds in every thread."""
    return count_in_thread(orthogonalize, limit=64, compile_it=own_limit)


@non_fix("raise-the-limit-for-ever", control="counter", on="any")
def counter_with_a_higher_limit() -> Any:
    """One compilation for each call."""
    return count(warm_up, limit=64)


if __name__ == "__main__":
    main(__file__)
