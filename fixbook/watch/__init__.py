"""A command, watched while it runs: its output kept, its end and its hangs explained.

The command is started as it would be without. What stands between it and the reader's terminal is
the relay, a small process that only copies: the command does not depend on what diagnoses it.
"""
