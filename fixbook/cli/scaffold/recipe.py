"""TODO: one sentence: what fails, and why."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from typing import Any

from fixbook.recipe import detect, fix, main, non_fix, reproduce


def size(*, mended: bool) -> int:
    """TODO: call the real library code here; the scaffold's stand-in only shows the shape."""
    return 3 if mended else 9


@reproduce()
def it_breaks() -> None:
    """Fail the way users see it fail."""
    raise SystemExit(f"TODO @SLUG@: size {size(mended=False)} is past the limit of 4")


@detect(found=True)
def on_the_broken_variant() -> dict[str, Any]:
    """Measure what tells this failure from its look-alikes."""
    return {"found": size(mended=False) > 4, "size": size(mended=False)}


@detect(found=False)
def on_the_fixed_variant() -> dict[str, Any]:
    """Take the same measurement where nothing is wrong."""
    return {"found": size(mended=True) > 4, "size": size(mended=True)}


@fix("first-fix")
def with_the_fix() -> dict[str, Any]:
    """Run clean, and measure that it helped."""
    return {"size": size(mended=True)}


@non_fix("popular-advice")
def with_the_popular_advice() -> dict[str, Any]:
    """Follow advice that circulates, and measure that it does not help."""
    return {"size": size(mended=False)}


if __name__ == "__main__":
    main(__file__)
