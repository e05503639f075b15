"""Render the book: entries and their evidence become Markdown pages, JSON and a bilingual site."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent  # the theme and hand-written pages lie there
