"""Run the book on other releases than its pins, and say what changed."""
