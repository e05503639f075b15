"""Reading logs: clean the lines, match signatures, decide which entry a log belongs to."""
