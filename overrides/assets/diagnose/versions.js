// The versions that a log prints.
fixbook.define("versions", function (use) {
  "use strict";
  const { aliases, limits, patterns } = use("constants");

  const PYTHON = new RegExp(patterns.pythonPath, "u");
  const VERSION = new RegExp(patterns.version, "gu");

  /**
   * @param {string} head
   * @param {string} before
   * @param {Frame[]} frames
   */
  function versionsOf(head, before, frames) {
    /** @type {Map<string, string>} */
    const found = new Map();
    /** @type {(name: string, version: string) => void} */
    const add = (name, version) => {
      if (!found.has(name)) found.set(name, version);
    };
    for (const { groups } of (head + "\n" + before).matchAll(VERSION)) {
      const { name, version } = /** @type {Record<string, string>} */ (groups);
      const plain = name.toLowerCase().replace(/-/g, "_");
      add(Object.hasOwn(aliases, plain) ? aliases[plain] : plain, version);
    }
    for (const { file } of frames) {
      const python = PYTHON.exec(file);
      if (python) add("python", python[1]);
    }
    return Object.fromEntries([...found].slice(0, limits.versions));
  }

  return { versionsOf };
});
