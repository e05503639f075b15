"""One folder with which a machine without a network runs the book's steps."""
