"""The book as plain rows: what diagnosis, search and the browser read in its place.

It stands above `fixbook.log`, which knows rows and no book, and below the command line, the gates
and the generator. Only `fixbook.index.cache` is imported where the rows are ready.
"""
