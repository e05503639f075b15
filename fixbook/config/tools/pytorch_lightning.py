"""Lightning by its older name: what a Python file imports from it. There is no key table."""

from __future__ import annotations

from fixbook.config.tool import Tool

TOOL = Tool("pytorch-lightning", "pytorch_lightning", classes=True)
