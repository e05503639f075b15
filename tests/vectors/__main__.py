"""Write the expected answers of all vectors anew, from the Python implementation."""

from __future__ import annotations

import json

from tests.vectors import FILE, Python, cases, logs_of, rows, short

python = Python(rows())
renewed = [{**case, "expect": short(python.answer(logs_of(case)))} for case in cases()]
FILE.write_text(json.dumps(renewed, ensure_ascii=False, indent=1) + "\n", "utf-8")
print(f"{len(renewed)} vectors written to {FILE}; read the difference")  # noqa: T201
