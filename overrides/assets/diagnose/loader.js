// A registry of small modules that runs as a classic script in a page and in a worker. On file://,
// where neither modules nor workers can be loaded, `source()` is what a Blob worker starts from.
(function loader(/** @type {any} */ scope) {
  "use strict";
  if (scope.fixbook) return;

  /** @type {Map<string, (use: any) => any>} */
  const factories = new Map();
  /** @type {Map<string, any>} */
  const made = new Map();

  /**
   * Add a module.
   * @param {string} name
   * @param {(use: any) => any} factory called once, with `use` as its argument
   */
  function define(name, factory) {
    factories.set(name, factory);
  }

  /**
   * Return a module, made on first use.
   * @param {string} name
   */
  function use(name) {
    if (!made.has(name)) {
      const factory = factories.get(name);
      if (!factory) throw new Error("fixbook: no module " + name);
      made.set(name, factory(use));
    }
    return made.get(name);
  }

  /** @returns {string} the modules that are loaded here, as a script */
  function source() {
    const parts = ["(" + loader + ")(self);"];
    for (const [name, factory] of factories) {
      parts.push("fixbook.define(" + JSON.stringify(name) + ", " + factory + ");");
    }
    return parts.join("\n");
  }

  /**
   * Load a script into the page.
   * @param {string} url
   * @returns {Promise<void>}
   */
  function load(url) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error("cannot load " + url));
      document.head.append(script);
    });
  }

  scope.fixbook = {
    define,
    use,
    source,
    load,
    /** What the generated files put here: `index`, `advice` and `fixes`. */
    data: {},
    /** Files of the engine, in any order. */
    engine: [
      "constants.js", "words.js", "text.js", "disguise.js", "normalise.js", "prefilter.js", "chunks.js", "lines.js", "context.js",
      "times.js", "index.js", "quoted.js", "source_lines.js", "scan.js", "scanner.js", "unwrapped.js", "second.js", "traceback.js", "libraries.js", "versions.js", "exception.js",
      "likely.js", "telling.js", "going_on.js", "cases.js", "redact.js", "next_steps.js", "across.js", "decide.js", "answer.js", "tokens.js",
      "postings.js", "elsewhere.js", "endings.js", "covering.js", "bm25.js", "question.js",
      "unfold.js", "wide.js", "reading.js", "engine.js", "find.js",
    ],
  };
})(self);
