// Checks configurations with the book's own checker, on Python compiled to WebAssembly.
const root = new URL("../../../python/", import.meta.url);

const GLUE = `
import json
from fixbook.config.texts import check_texts

def check(files, lang, tool):
    texts = [(name, bytes(content)) for name, content in files]
    return json.dumps(check_texts(texts, lang, tool))
check
`;

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", root).href);
  const archive = fetch(new URL("fixbook.zip", root)).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: root.href });
  python.unpackArchive(await archive, "zip", { extractDir: "/fixbook" });
  python.runPython("import sys; sys.path.append('/fixbook')");
  return { python, check: python.runPython(GLUE) };
}

const ready = start();
ready.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ failed: String(error.message || error) })
);

self.onmessage = async ({ data: { id, files, lang, tool } }) => {
  try {
    const { python, check } = await ready;
    self.postMessage({ id, result: JSON.parse(check(python.toPy(files), lang, tool)) });
  } catch (error) {
    self.postMessage({ id, failed: String(error instanceof Error ? error.message : error).trim().split("\n").pop() });
  }
};
