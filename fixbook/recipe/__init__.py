"""What a recipe imports: the decorators, `measure`, the snippets of its entry, and `main`."""

from fixbook.recipe.skip import skip
from fixbook.recipe.snippets import run_snippet, snippet, snippet_text
from fixbook.recipe.steps import detect, fix, main, measure, non_fix, reproduce

__all__ = [
    "detect",
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
