"""SGLang's check of a schema, loaded by itself: the rest of SGLang wants a GPU."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any


def check(schema: dict[str, Any]) -> None:
    """Check a schema as SGLang's xgrammar backend does before it compiles it."""
    package = importlib.util.find_spec("sglang")
    assert package
    assert package.origin
    file = Path(package.origin).parent / "srt/constrained/json_schema_validation.py"
    spec = importlib.util.spec_from_file_location("json_schema_validation", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.validate_xgrammar_json_schema(schema)
