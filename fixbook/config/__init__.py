"""Configurations of other tools: validated by the tools themselves, checked by rules."""
