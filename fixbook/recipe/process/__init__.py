"""What the processes of a step run: the worker, forks, ranks, limits; `running` alone starts them.

Nothing is imported here, and nothing but the standard library and psutil below, as it all stands in
a step's process beside whatever versions an overlay brings.
"""
