"""Code that came with a model takes the KV cache by the name that transformers has changed."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_cache import check, run
from proof_prefix import prefixed

from fixbook.recipe import detect, fix, main, non_fix, reproduce

V5_24 = ["transformers==5.24.0"]
ONCE = "a newer transformers beside the main one, imported anew"

# Classes of transformers 4 hand on cache_position beside, and keep a prefix otherwise.
FIVE = ["transformers>=5"]


@reproduce(versions=V5_24, record_once=ONCE)
def named_forward() -> dict[str, Any]:
    """Its forward names what it takes, and cache is not among it."""
    return run("NamedForward")


@reproduce(versions=V5_24, record_once=ONCE)
def own_prepare() -> dict[str, Any]:
    """It asks the cache for its length, and is not given one."""
    return run("OwnPrepare")


@fix("both-names", control="named-forward", versions=V5_24, record_once=ONCE)
def mended_on_5_24() -> dict[str, Any]:
    """Either name is taken, and handed on as it came."""
    return run("NamedForward", mend="both")


@fix("both-names", control="own-prepare")
def mended_on_5_23() -> dict[str, Any]:
    """The same class, where the cache still has its old name."""
    return run("OwnPrepare", mend="both")


@fix("built-in-class", control="named-forward", versions=V5_24, record_once=ONCE)
def built_in_class() -> dict[str, Any]:
    """Transformers has the model."""
    return run("NamedForward", mend="built-in")


@fix("older-transformers", control="named-forward", needs=FIVE)
def named_forward_on_5_23() -> dict[str, Any]:
    """The last release before the new name."""
    return run("NamedForward")


@fix("older-transformers", control="own-prepare")
def own_prepare_on_5_23() -> dict[str, Any]:
    """The last release before the new name."""
    return run("OwnPrepare")


@non_fix("any-argument", control="named-forward", versions=V5_24, record_once=ONCE)
def kwargs_dropped() -> dict[str, Any]:
    """The new argument is taken, and dropped."""
    return run("AnyForward")


@non_fix("no-cache", control="named-forward", versions=V5_24, record_once=ONCE)
def no_cache() -> dict[str, Any]:
    """There is no cache to be handed on."""
    return run("NamedForward", use_cache=False)


@detect(found=True, versions=V5_24, record_once=ONCE)
def lenient_on_5_24() -> dict[str, Any]:
    """Without a cache it goes on, and nothing raises."""
    return check("LenientPrepare")


@detect(found=True, versions=V5_24, record_once=ONCE)
def dropped_is_found() -> dict[str, Any]:
    """One token at a time, and wrong words."""
    return check("AnyForward")


@detect(found=False, control="lenient-on-5-24", versions=V5_24, record_once=ONCE)
def mended_is_sound() -> dict[str, Any]:
    """The page's class on the new release."""
    return check("LenientPrepare", mend="both")


@detect(found=False, control="lenient-on-5-24")
def lenient_on_5_23() -> dict[str, Any]:
    """The same code, where it is given the cache."""
    return check("LenientPrepare")


@detect(found=True, versions=V5_24, record_once=ONCE)
def prefix_lost_on_5_24() -> dict[str, Any]:
    """PEFT puts its prefix into a cache, which arrives by the new name alone."""
    return prefixed()


@detect(found=False, control="prefix-lost-on-5-24", needs=FIVE)
def prefix_kept_on_5_23() -> dict[str, Any]:
    """The same prefix, where generate hands it on by the old name."""
    return prefixed()


if __name__ == "__main__":
    main(__file__)
