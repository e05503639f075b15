"""Render the book: entries and their evidence become Markdown pages, JSON and a bilingual site."""
