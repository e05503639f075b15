"""Measurements: how well failures are found, how fast logs are read, and the logs for both."""
