"""Many logs at once: which jobs failed, of what, on which node, and what the book does not know.

Nothing else of the book imports this room, and its libraries come with the extra ``triage``.
"""
