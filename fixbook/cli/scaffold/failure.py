"""TODO one sentence: the failing code as a user would write it, one argument per fix."""

from __future__ import annotations

LIMIT = 4


def train(size: int = 9, *, cut: bool = False, retries: int = 0) -> dict[str, int]:
    """TODO call the real library here; this stand-in only shows the shape.

    Args:
        size: What the script works on.
        cut: The fix.
        retries: Advice that does not help.
    """
    if cut:
        size = min(size, LIMIT)
    for _ in range(retries + 1):
        if size > LIMIT:
            continue
        return {"size": size}
    raise SystemExit(f"TODO @SLUG@: size {size} is past the limit of {LIMIT}")
