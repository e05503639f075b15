"""What one engine would cost: the command's diagnosis in the browser, beside the one in JavaScript.

    python -m bench.one_engine

Prints sizes, the time until each is ready, of the first answer, and of a second one; all is served
from this machine, so that nothing of it is the network's.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import shutil
import sys
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from fixbook.book_root import book_root
from fixbook.index.build import build_rows
from generator import PROJECT
from generator.browser.constants import constants_script
from generator.browser.search_index import advice_data, fixes_data, index_data
from tests.site.conftest import BROWSERS, FLAGS
from tests.site.engine import SCRIPTS, engine_files

if TYPE_CHECKING:
    from playwright.sync_api import Page

_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
_STDLIB = "python_stdlib.zip"
_PACKAGE = (
    "__init__.py",
    "finder.py",
    "languages.py",
    "printable.py",
    "problem.py",
    "site_address.py",
    "i18n.py",
)
_GLUE = """
import json, sys
sys.path.append("/fixbook")
from fixbook.log.finder import Finder
from fixbook.log.answer import answer_of
rows = json.load(open("/fixbook/index.json"))
finder = Finder(rows)
def answer(text):
    return json.dumps(answer_of(finder.diagnosis(text), rows, [], "en"))
answer
"""
_PYTHON = """async ([glue, log]) => {
  const times = [performance.now()];
  const { loadPyodide } = await import("/pyodide.mjs");
  const archive = fetch("/fixbook.zip").then((one) => one.arrayBuffer());
  const python = await loadPyodide({ indexURL: "/" });
  python.unpackArchive(await archive, "zip", { extractDir: "/fixbook" });
  const answer = python.runPython(glue);
  times.push(performance.now());
  for (let turn = 0; turn < 2; turn++) { answer(log); times.push(performance.now()); }
  return times.slice(1).map((time, at) => time - times[at]);
}"""
_SCRIPT = """async ([files, log]) => {
  const times = [performance.now()];
  const load = (url) => new Promise((done) => {
    const script = document.createElement("script");
    script.src = url; script.onload = done; document.head.append(script);
  });
  for (const file of files) await load(file);
  const { index, advice } = fixbook.data;
  const { Engine } = fixbook.use("engine");
  const engine = new Engine({ ...index, asks: advice.asks, advice: advice.advice });
  times.push(performance.now());
  for (let turn = 0; turn < 2; turn++) {
    await engine.answer([{ name: "", blob: new Blob([log]) }]); times.push(performance.now());
  }
  return times.slice(1).map((time, at) => time - times[at]);
}"""


def _write_python(folder: Path, rows: dict[str, Any]) -> None:
    for name in (*_RUNTIME, _STDLIB):
        shutil.copyfile(PROJECT / "node_modules/pyodide" / name, folder / name)
    package = PROJECT / "fixbook"
    with zipfile.ZipFile(folder / "fixbook.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted([*(package / "log").iterdir(), *(package / name for name in _PACKAGE)]):
            if path.is_file():
                archive.write(path, f"fixbook/{path.relative_to(package)}")
        archive.writestr("index.json", json.dumps(rows, ensure_ascii=False))


def _write_script(folder: Path, rows: dict[str, Any]) -> list[str]:
    files = ["loader.js", "constants.js", *engine_files(), "data.js"]
    for name in ("loader.js", *engine_files()):
        shutil.copyfile(SCRIPTS / name, folder / name)
    (folder / "constants.js").write_text(constants_script("en"), "utf-8")
    given = {"index": index_data(rows, "en"), "advice": advice_data(rows, "en")}
    given["fixes"] = fixes_data(rows, "en")
    data = json.dumps(given, ensure_ascii=False)
    (folder / "data.js").write_text(f"Object.assign(fixbook.data, {data});\n", "utf-8")
    return files


def _size(folder: Path, names: list[str]) -> str:
    packed = sum(len(gzip.compress((folder / name).read_bytes())) for name in names)
    return f"{packed / 1e6:.2f} MB to load"


def _fresh(page: Page, address: str, script: str, argument: Any) -> list[float]:
    page.goto(address)
    times: list[float] = page.evaluate(script, argument)
    return times


def main() -> int:
    """Measure both, three times each, and print the fastest of each."""
    rows = build_rows(book_root())
    log = max((path.read_text("utf-8") for path in book_root().glob("recipes/*/logs/*")), key=len)
    chrome = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / "index.html").write_text("<!doctype html><title>one engine</title>", "utf-8")
        _write_python(folder, rows)
        files = _write_script(folder, rows)
        handler = functools.partial(_Quiet, directory=name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        browser = playwright.chromium.launch(executable_path=chrome, args=FLAGS)
        loaded = ["fixbook.zip", *_RUNTIME, _STDLIB]
        for title, script, argument, names in (
            ("JavaScript", _SCRIPT, [files, log], files),
            ("Python in WebAssembly", _PYTHON, [_GLUE, log], loaded),
        ):
            runs = [_fresh(browser.new_page(), address, script, argument) for _ in range(3)]
            ready, first, second = map(min, zip(*runs, strict=True))
            print(
                f"{title}: {_size(folder, names)}, ready after {ready:.0f} ms,"
                f" first answer {first:.0f} ms, second {second:.0f} ms"
            )
        browser.close()
        server.shutdown()
    return 0


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    sys.exit(main())
