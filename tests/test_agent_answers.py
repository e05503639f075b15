"""How long the answers to agents are, and what they leave out."""

from __future__ import annotations

from pathlib import Path

from fixbook.agent import answers
from fixbook.agent.roots import Roots
from fixbook.agent.tools import Tools

ROOT = Path(__file__).parents[1]
MOST_TOKENS = 500


def test_check_of_an_answer_is_what_to_run_first() -> None:
    """Agents pay by the word; what is left out stands in the part `detect` of the entry."""
    code = {"language": "python", "text": "look()"}
    assert (
        answers._check("It prints 3. Then more.", code) == "It prints 3.\n\n```python\nlook()\n```"
    )
    assert answers._check("打印 3。然后是别的。", code).startswith("打印 3。\n")
    text = "Run this:\n\n```bash\ndf -h\n```\n\nThen that:\n\n```bash\nls\n```"
    assert answers._check(text, None) == "Run this:\n\n```bash\ndf -h\n```"
    assert answers._check("One paragraph.\n\nAnother.", None) == "One paragraph."


def test_answers_to_the_logs_of_the_book_are_short() -> None:
    """A token is about four characters; where a fix alone is longer, nothing else can be cut."""
    tools = Tools(Roots(()), "en")
    logs = sorted(ROOT.glob("recipes/*/logs/*.txt"))
    said = [tools.diagnose("", one.read_text("utf-8", "replace"), lambda _: None) for one in logs]
    sizes = sorted(map(len, said))
    assert len(sizes) > 50
    assert sizes[len(sizes) // 2] <= 4 * MOST_TOKENS * 0.9
    assert sum(size > 4 * MOST_TOKENS for size in sizes) <= 0.15 * len(sizes)
    assert sizes[-1] <= 4 * MOST_TOKENS * 1.5
