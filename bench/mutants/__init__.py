"""Seeded mistakes in the core, each put to the tests of its own module."""
