"""What a recipe imports: the decorators, `measure`, the snippets of its entry, and `main`.

Behind it lie four rooms with one door each, every arrow pointing up this list:

    author   decorators, snippets, skip; with `helpers`, the stable and public part
    reading  the source of a recipe, never imported: steps, what they use, digests
    record   verdicts beside controls, evidence, what it is worth now
    running  schedule, starts warm and cold, overlays; its steps' own processes are in `process`
"""

from fixbook.recipe.author import (
    backend,
    detect,
    device,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    skip,
    snippet,
    snippet_text,
)

__all__ = [
    "backend",
    "detect",
    "device",
    "fix",
    "main",
    "measure",
    "non_fix",
    "reproduce",
    "run_snippet",
    "skip",
    "snippet",
    "snippet_text",
]
