"""Mistakes in the GPU code of recipes, planted to see what finds each without a card."""
