"""Readers: text to settings with places. Nothing that is read is ever run."""

MAX_VALUES = 20_000
MAX_DEPTH = 24
