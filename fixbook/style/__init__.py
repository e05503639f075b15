"""The one style in which the book's YAML is written; `fixbook fmt` brings it about."""

from fixbook.style.files import book_files, read_file
from fixbook.style.source import StyleError, format_source

__all__ = ["StyleError", "book_files", "format_source", "read_file"]
