"""The small book as somebody would write it who wants to run a script on its readers."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import yaml

from tests.site.small_book import write_book, write_evidence
from tests.site.small_entry import ENTRY, SLUG, SYMPTOM

if TYPE_CHECKING:
    from pathlib import Path

ELEMENTS = (
    "<script>hostile()</script>",
    "</script><script>hostile()</script>",
    '<img src=x onerror="hostile()">',
    "<iframe src=//hostile.example></iframe>",
    '<meta http-equiv=refresh content="0;url=//hostile.example">',
    "<svg/onload=hostile()>",
    "<SCRIPT SRC=//hostile.example></SCRIPT>",
    "<!-- hostile --><!--><script>hostile()</script>",
    '"><b onmouseover=hostile()>',
    "</textarea></pre></title></code><script>hostile()</script>",
    "&lt;/title&gt;&lt;script&gt;hostile()&lt;/script&gt;",
    "\\<script>hostile()\\</script>",
    "`` ` <script>hostile()</script>",
    "![x](#top){ onerror=hostile() }",
)
LINKS = (
    "[x](javascript:hostile())",
    "[x](JaVaScRiPt:hostile())",
    "[x](java\tscript:hostile())",
    "[x](<javascript:hostile()>)",
    "[x](&#106;avascript:hostile())",
    "[x](javascript&colon;hostile())",
    "[x](javascript&amp;colon;hostile())",
    "[x](\\javascript:hostile())",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:hostile())",
    "![x](javascript:hostile())",
    "<javascript:hostile()>",
)
LISTS = (
    "word **bold**{: onclick=hostile() }",
    "word\n{: onclick=hostile() #__config style=position:fixed }",
    "[x](#top){ onmouseover=hostile() href=javascript:hostile() }",
    "[x](#top){: href=javascript:hostile() }",
)
BLOCKS = (
    "<script>\nhostile()\n</script>",
    "<div markdown=1>\n\n<script>hostile()</script>\n\n</div>",
    "[x][y]\n\n[y]: javascript:hostile()",
    "[x]\n\n[x]:\n  javascript:hostile()",
    '```{ .python onclick="hostile()" }\nx\n```\n\n<script>hostile()</script>',
    '```python title="<script>hostile()</script>"\nx\n```',
    "````\n```\n<script>hostile()</script>\n````",
    "> ```\n<script>hostile()</script>\n> ```",
    "    <script>hostile()</script>",
    '=== "<script>hostile()</script>"\n\n    <script>hostile()</script>',
    '??? note "<script>hostile()</script>"\n\n    <script>hostile()</script>',
    '--8<-- "/etc/passwd"',
    "{% include '/etc/passwd' %} {{ config }}",
)
# Blocks of code that end where another reader may not see it: the rest of a page would be code.
OPEN = (
    "```\n<script>hostile()</script>",
    "~~~\n```\n~~~\n<script>hostile()</script>\n```",
    "- ```\n  x\n```\n<script>hostile()</script>",
    "  ```\n<script>hostile()</script>\n  ```",
    "``\x02`\nx\n``\x03`\n<script>hostile()</script>",
)
# Links that a browser alone takes for a program; MkDocs refuses to build what it takes for a path.
_PLAIN = (*LINKS[:2], LINKS[8], LINKS[9], LINKS[11])
TEXT = "\n\n".join((*ELEMENTS, *_PLAIN, *LISTS, *BLOCKS))
LINE = " ".join((*ELEMENTS, *_PLAIN, *LISTS[:1]))
_SHORT = {"title", "summary", "ask", "label", "reason", "note"}
_CODE = "```\n</code></pre><script>hostile()</script>\n``\x02`\n<script>hostile()</script>\n"


def hostile_entry() -> dict[str, Any]:
    """Return the small entry with markup in everything that takes text."""
    entry: dict[str, Any] = _with_texts(copy.deepcopy(ENTRY), "")
    entry["not_executed"][0] |= {"package": LINE, "version": LINE}
    entry["snippets"]["measure-it"]["code"] = _CODE
    entry["snippets"]["placed"] = {"language": "text", "code": _CODE}
    entry["cause"] = {lang: f"{text}\n\n{{{{snippet:placed}}}}" for lang, text in
                      entry["cause"].items()}  # fmt: skip
    entry["fixes"][0]["since"] = LINE
    for change in entry["fixes"][0]["config"] + entry["fixes"][1]["config"][:1]:
        change["version"] = LINE
    entry["references"][0]["title"] = LINE
    entry["aliases"] = {"zh": [LINE], "en": [LINE]}
    entry["bars"] = [{"measure": "size_bytes", "label": {"zh": LINE, "en": LINE}}]
    return entry


def write_hostile_book(root: Path) -> Path:
    """Write the book below ``root`` and return it."""
    write_book(root, hostile_entry(), evidence=False)
    folder = root / "recipes" / SLUG
    recipe = (folder / "recipe.py").read_text("utf-8")
    recipe = recipe.replace("boxes==1.1", "boxes==`<script>hostile()</script>")
    once = 'record_once="<script>hostile()</script> [x](javascript:hostile())")'
    recipe = recipe.replace(
        '@fix("raise-limit", on="cuda")', f'@fix("raise-limit", on="cuda", {once}'
    )
    (folder / "recipe.py").write_text(recipe, "utf-8")
    (folder / "logs/one.txt").write_text(f"{_CODE}\nwidget 3 overflowed its box{LINE}\n", "utf-8")
    (folder / "configs/after.yaml").write_text(f"name: box # {_CODE}\n{LINE}\n", "utf-8")
    symptom = _with_texts(copy.deepcopy(SYMPTOM), "")
    (root / "symptoms/overflow.yaml").write_text(yaml.safe_dump(symptom), "utf-8")
    source = {"id": "old-post", "title": LINE, "date": LINE}
    (root / "sources.yaml").write_text(yaml.safe_dump({"sources": [source]}), "utf-8")
    write_evidence(folder)
    path = folder / "evidence/cpu.json"
    path.with_name("gpu <script>hostile()<script>.json".replace("/", "")).write_text(
        json.dumps(_record(json.loads(path.read_text("utf-8")))), "utf-8"
    )
    path.unlink()
    return root


def _with_texts(node: Any, name: str) -> Any:
    if isinstance(node, dict) and set(node) == {"zh", "en"}:
        text = LINE if name in _SHORT else TEXT
        return {lang: f"{said} {text}" for lang, said in node.items()}
    if isinstance(node, dict):
        return {key: _with_texts(value, key) for key, value in node.items()}
    return [_with_texts(item, name) for item in node] if isinstance(node, list) else node


def _record(record: dict[str, Any]) -> dict[str, Any]:
    record["machine"] |= {"cpu": LINE, "os": LINE, "python": LINE, "name": LINE}
    record["machine"]["gpus"] = [{"name": LINE, "memory_gib": 1.0, "driver": LINE}]
    record["versions"] |= dict.fromkeys(record["versions"], LINE) | {
        LINE: LINE,
        "widgets": LINE,
    }
    for step in record["steps"].values():
        step["overlay"] = [LINE]
        step["reason"] = LINE
        step["log"] = f"{step.get('log', '')}\n{_CODE}{LINE}"
        step["measures"] = step.get("measures", {}) | {
            LINE: LINE,
            "said": [LINE, TEXT],
            f"rows {LINE}": [{LINE: LINE, "b": TEXT}],
        }
    return record
