"""What a run leaves beside its logs: trainer states, event files, checkpoints, dumps.

All of it is data of a stranger: read within bounds, never executed, never unpickled as code.
"""
