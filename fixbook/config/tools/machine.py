"""A machine: the report of ``fixbook env``, which rules read as if it were a configuration."""

from __future__ import annotations

from fixbook.config.tool import Tool

# The key that a report has, and nothing else.
MARK = "fixbook_env"
FORMAT = 1  # its value: how what it holds is to be read
TOOL = Tool("machine", "Machine")
