"""Texts on their way to Markdown: guarded, linked, laid out; words of the site."""
