"""Lightning: what a Python file imports from it. There is no key table."""

from __future__ import annotations

from fixbook.config.tool import Tool

TOOL = Tool("lightning", "Lightning", classes=True)
