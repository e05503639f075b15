"""Exit codes of the command, documented in ``fixbook --help``."""

DONE = 0
FAILED = 1
UNUSABLE = 2
NOTHING_RAN = 3
INTERRUPTED = 130
ONLY_POSSIBLE = 4
NOT_RECOGNISED = 5
NOT_HERE = 6
ANOTHER_ERROR = 7
INTERNAL = 70
