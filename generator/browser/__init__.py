"""What the browser's code is given: indexes, patterns, words, and Python with the checker."""
