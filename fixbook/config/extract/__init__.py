"""Read the keys that tools accept out of their released packages, without importing them."""
