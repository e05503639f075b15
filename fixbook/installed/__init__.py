"""Installed or pinned releases, held against the boundaries of the book.

It stands above the compiled rows, and reads no YAML and no evidence. What it is given is data:
nothing of it is imported or installed, and no index is asked.
"""
