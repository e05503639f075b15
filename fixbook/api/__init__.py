"""What programs call: the book, a diagnosis, checks, an audit, a run, as plain data.

The command line and other faces of the book stand on these. Each module is imported alone: a
diagnosis needs nothing of a run.
"""
