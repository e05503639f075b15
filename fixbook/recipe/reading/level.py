"""The level of the harness: what recorded evidence depends on besides its entry."""

# Raise it when a change of the harness, or of what fixbook.recipe offers to recipes, changes what
# a step does or when it passes. All evidence is then stale, GPU evidence included, until the steps
# have run again. Anything else (a refactoring, a message, speed) leaves it as it is.
HARNESS_LEVEL = 1
