"""Untruths to plant into a copy of the book, and what has to catch them."""
