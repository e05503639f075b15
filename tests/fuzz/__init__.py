"""Made-up input from real files, run and judged: ``python -m tests.fuzz``."""
