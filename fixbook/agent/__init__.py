"""The book for agents: an MCP server whose tools read, and neither run nor write anything."""
