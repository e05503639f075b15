"""Will a training run fit on a card: its peak memory, predicted without one.

The model's own code runs on tensors that have shapes and no data, under a counter of the memory
that they would take. Modules that need torch are imported by those who predict, and by nobody else.
"""
