"""What every step that can run on a GPU showed on one that stands in, and the page that says it."""
