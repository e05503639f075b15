"""The pages as Markdown, their navigation, and the tree that any renderer reads."""
