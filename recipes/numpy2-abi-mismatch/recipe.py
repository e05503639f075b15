"""A package that was compiled for NumPy 1 does not run on NumPy 2."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "numpy==2.4.6", "pandas==3.1.1", "pyarrow==26.0.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from fixbook.recipe import main

if __name__ == "__main__":
    main(__file__)
