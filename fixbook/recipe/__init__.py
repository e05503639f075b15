"""What a recipe imports: the decorators, `measure` and `main`."""

from fixbook.recipe.steps import detect, fix, main, measure, non_fix, reproduce

__all__ = ["detect", "fix", "main", "measure", "non_fix", "reproduce"]
