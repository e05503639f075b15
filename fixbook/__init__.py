"""Fixbook: failures of large-model training and serving, with proof."""

__version__ = "0.1.0"
