"""The index of a large book, made from that of the real one."""

from __future__ import annotations

import copy
import random
from typing import Any


def many(book: dict[str, Any], count: int) -> dict[str, Any]:
    """A book of many entries: copies of the real ones whose own words are replaced by others."""
    chance = random.Random(1)  # noqa: S311
    rows = copy.deepcopy(book)
    seen: dict[str, int] = {}
    for row in book["search"]:
        for token in row["weights"]:
            seen[token] = seen.get(token, 0) + 1
    own = sorted(token for token in seen if token.isascii() and seen[token] == 1)
    syllables = [token[i : i + 3] for token in own for i in range(0, len(token) - 2, 3)]
    signs = sorted({sign for token in seen for sign in token if not sign.isascii()})

    def other(token: str) -> str:
        if seen[token] > 1 or chance.random() < 0.5:
            return token
        if token.isascii():
            return "".join(chance.choice(syllables) for _ in range(max(1, len(token) // 3)))
        return chance.choice(signs) + chance.choice(signs)

    slugs = list(book["fixes"])
    for number in range(len(slugs), count):
        base, slug = slugs[number % len(slugs)], f"entry-{number}"
        row = next(row for row in book["search"] if row["slug"] == base)
        weights = {other(token): weight for token, weight in row["weights"].items()}
        rows["search"].append({"slug": slug, "weights": weights, "length": row["length"]})
        for matcher in [one for one in book["matchers"] if one["owner"] == base]:
            mark = f"{chance.choice(syllables)}{number}"
            pattern = f"{mark} {matcher['pattern']}"
            literals = [f"{mark} {literal}" for literal in matcher["literals"]]
            rows["matchers"].append(
                {**matcher, "owner": slug, "pattern": pattern, "literals": literals}
            )
        rows["titles"][slug] = {
            part: {
                lang: "".join(chance.choice(text) for _ in text)
                for lang, text in book["titles"][base][part].items()
            }
            for part in ("title", "summary")
        }
        rows["fixes"][slug] = book["fixes"][base]
        for name, label in book["labels"].items():
            if name.startswith(f"{base}/"):
                rows["labels"][name.replace(base, slug)] = label
    return rows
