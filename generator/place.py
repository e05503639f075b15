"""Where the generator's own files lie: the theme, the hand-written pages, configurations."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
