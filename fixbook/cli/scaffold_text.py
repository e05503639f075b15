"""The scaffold of an entry, with what a log proposes for it written in."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.log.proposal import Proposal

FILES = ("entry.yaml", "failure.py", "recipe.py", "queries.yaml", "words.yaml", "threads.yaml")
FIRST_LOG = "logs/first.txt"
_PROJECTS = {"torch": "pytorch"}  # as the book calls it
_LABELS = {"name": ("名字", "name"), "number": ("数值", "number")}


def scaffold(slug: str, day: str, proposed: Proposal | None) -> dict[str, str]:
    """Return the files of a new entry: text by path within its folder.

    Args:
        slug: The entry.
        day: Today, as ``2026-11-23``.
        proposed: What a log proposes, if there is one.
    """
    template = files("fixbook.cli") / "scaffold"
    texts = {name: template.joinpath(name).read_text("utf-8") for name in FILES}
    if proposed:
        texts = _with(proposed, texts)
    filled = {
        name: text.replace("@SLUG@", slug).replace("@TODAY@", day) for name, text in texts.items()
    }
    return filled | ({FIRST_LOG: proposed.log} if proposed else {})


def _with(proposed: Proposal, texts: dict[str, str]) -> dict[str, str]:
    entry = _replaced(texts["entry.yaml"], "signatures:\n", "symptom:\n", _signatures(proposed))
    names = (_PROJECTS.get(name, name) for name in proposed.projects)
    projects = ", ".join(map(json.dumps, names)) or "todo"
    said = proposed.line.replace("`", "'")
    entry = entry.replace("projects: [todo]", f"projects: [{projects}]")
    alias = _text(f"{proposed.keywords} TODO")  # as people would search for it
    entry = entry.replace("en: [TODO what people say @SLUG@", f"en: [{alias}")
    entry = entry.replace("zh: TODO 现象。", "zh: " + _text(f"`{said}` TODO 还看到什么。"))
    entry = entry.replace(
        "en: TODO what one sees.", "en: " + _text(f"`{said}` TODO what else one sees.")
    )
    entry = entry.replace("logs:\n", f"logs:\n  - {{file: {FIRST_LOG}, source: report}}\n")
    raised = 'raise SystemExit(f"TODO @SLUG@: size {size} is past the limit of {LIMIT}")'
    mine = f"raise SystemExit({proposed.line!r})  # TODO let the real library raise it"
    return texts | {
        "entry.yaml": entry,
        "failure.py": texts["failure.py"].replace(raised, mine),
        "queries.yaml": _queries(proposed, texts["queries.yaml"]),
    }


def _signatures(proposed: Proposal) -> str:
    pattern = proposed.pattern.replace("'", "''")
    rows = [
        "# Proposed from the first log: is each group what differs, and each word what stays?",
        "signatures:",
        "  - id: the-message",
        f"    pattern: '{pattern}'",
    ]
    if proposed.captures:
        rows.append("    captures:")
        rows += [f"      {name}: {_label(name)}" for name in proposed.captures]
    return "\n".join(rows) + "\n"


def _label(name: str) -> str:
    zh, en = _LABELS[name.rstrip("0123456789")]
    return f"{{zh: {zh}, en: {en}}}"


def _queries(proposed: Proposal, template: str) -> str:
    comment = template[: template.index("- kind:")]
    chinese = template[template.index("- kind: chinese") :]
    asked = {
        "line": proposed.line,
        "variant": proposed.varied,
        "paste": proposed.pasted,
        "keywords": proposed.keywords,
    }
    rows = [f"- kind: {kind}\n  text: {_text(text)}\n" for kind, text in asked.items()]
    return comment + "".join(rows) + chinese


def _text(text: str) -> str:
    """A text as YAML reads it, whatever stands in it."""
    return json.dumps(text, ensure_ascii=False)


def _replaced(text: str, first: str, after: str, by: str) -> str:
    return text[: text.index(first)] + by + text[text.index(after) :]
