"""Ray: variables that a script sets for the processes it submits. There is no key table."""

from __future__ import annotations

from fixbook.config.tool import Tool

TOOL = Tool("ray", "Ray")
