"""The shipped JavaScript in a page of a real browser, for tests to call."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from generator.browser.constants import constants_script
from generator.browser.search_index import advice_data, fixes_data, index_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

    from fixbook.text import Lang
    from tests.vectors import Log

SCRIPTS = Path(__file__).parents[2] / "overrides/assets/diagnose"

_SETUP = """(data) => {
  const { Engine } = fixbook.use("engine");
  const { Finder } = fixbook.use("find");
  window.engine = new Engine(data.index);
  window.fixes = data.fixes;
  window.finder = new Finder(window.engine);
  window.blobOf = (text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
}"""
_ANSWER = """async (runs) => {
  const out = [];
  for (const logs of runs) {
    const given = logs.map(([name, text]) => ({ name, blob: blobOf(text) }));
    const { answer, holds } = await engine.answer(given);
    const found = answer.answer;
    if (holds) Object.assign(found, fixbook.use("advice").adviceOf(fixes[found.slug], holds));
    out.push(answer);
  }
  return JSON.stringify(out);
}"""


def engine_files() -> list[str]:
    """Return the files of the engine that lie in the repository."""
    text = (SCRIPTS / "loader.js").read_text("utf-8")
    listed = re.search(r"engine: \[(.*?)\]", text, re.DOTALL)
    assert listed
    return [name for name in re.findall(r'"([\w.]+)"', listed[1]) if name != "constants.js"]


class Engine:
    """The engine on some index.

    Args:
        browser: Where it runs.
        rows: The index, as plain data.
        lang: Language of its texts.
    """

    def __init__(self, browser: Browser, rows: dict[str, Any], lang: Lang = "en") -> None:
        self.page = browser.new_page()
        self.page.set_default_timeout(120_000)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_script_tag(path=SCRIPTS / "loader.js")
        self.page.add_script_tag(content=constants_script(lang))
        for name in [*engine_files(), "yours.js", "advice.js"]:
            self.page.add_script_tag(path=SCRIPTS / name)
        advice = advice_data(rows, lang)
        index = index_data(rows, lang) | {name: advice[name] for name in ("asks", "advice")}
        self.page.evaluate(_SETUP, {"index": index, "fixes": fixes_data(rows, lang)})

    def answers(self, runs: Sequence[Sequence[Log]]) -> list[dict[str, Any]]:
        """Return the answer of each run."""
        given = [[(n, base64.b64encode(data).decode()) for n, data in logs] for logs in runs]
        text: str = self.page.evaluate(_ANSWER, given)
        return cast("list[dict[str, Any]]", json.loads(text))

    def call(self, script: str, argument: Any = None) -> Any:
        """Run a function in the page."""
        return self.page.evaluate(script, argument)
