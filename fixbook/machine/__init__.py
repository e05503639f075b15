"""What matters of a machine for training and serving, read without importing any of it."""
