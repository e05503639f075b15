"""What a recipe is written with; recipes import it as `fixbook.recipe`. Standard library only."""

from fixbook.recipe.author.devices import backend, device
from fixbook.recipe.author.skip import skip
from fixbook.recipe.author.snippets import run_snippet, snippet, snippet_text
from fixbook.recipe.author.steps import Step, detect, fix, main, measure, non_fix, reproduce

__all__ = [
    "Step",
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
