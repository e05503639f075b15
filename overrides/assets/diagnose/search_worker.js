// Behind Material's search box, in place of its own worker: the same messages, our search.
// In a page on file://, which may not start workers, it stands in for the worker itself.
(function (/** @type {any} */ scope) {
  "use strict";
  const SETUP = 0;
  const READY = 1;
  const QUERY = 2;
  const RESULT = 3;
  const inPage = typeof scope.document !== "undefined";
  const here = new URL("./", inPage ? scope.document.currentScript.src : scope.location.href).href;
  /** @type {Finder | null} */
  let finder = null;
  /** @type {Promise<void> | null} */
  let loading = null;
  let latest = 0;

  /** @returns {Finder} */
  function made() {
    const { Engine } = fixbook.use("engine");
    const { Finder } = fixbook.use("find");
    if (!fixbook.data.index) throw new Error("search/fixbook.js holds no index");
    return new Finder(new Engine(fixbook.data.index), inPage ? "index.html" : "");
  }

  /** The index is loaded with the first query, not with every page. */
  function loadInWorker() {
    scope.importScripts(here + "loader.js");
    scope.importScripts(...fixbook.engine.map((name) => here + name), here + "../../search/fixbook.js");
  }

  async function loadInPage() {
    const loader = document.createElement("script");
    loader.src = here + "loader.js";
    await new Promise((resolve, reject) => {
      loader.onload = resolve;
      loader.onerror = () => reject(new Error("cannot load " + loader.src));
      document.head.append(loader);
    });
    for (const name of fixbook.engine) await fixbook.load(here + name);
    await fixbook.load(here + "../../search/fixbook.js");
  }

  /**
   * @param {string} query
   * @returns {Promise<Item[][]>}
   */
  async function answer(query) {
    if (!query.trim()) return [];
    if (!finder) {
      if (inPage) await (loading = loading || loadInPage());
      else loadInWorker();
      finder = finder || made();
    }
    return finder.find(query);
  }

  /**
   * @param {{type: number, data: string}} message
   * @param {(message: object) => void} send
   */
  async function reply({ type, data }, send) {
    if (type === SETUP) send({ type: READY });
    if (type !== QUERY) return;
    const number = ++latest;
    const items = await answer(data);
    if (number === latest) send({ type: RESULT, data: { items } }); // the latest query counts
  }

  if (!inPage) {
    scope.onmessage = (/** @type {MessageEvent} */ event) => reply(event.data, (message) => scope.postMessage(message));
    return;
  }
  if (scope.location.protocol !== "file:") return;
  const Native = scope.Worker;
  scope.Worker = class extends EventTarget {
    /** @param {string | URL} url */
    constructor(url) {
      super();
      if (!String(url).includes("diagnose/search_worker.js")) return new Native(url);
    }

    /** @param {{type: number, data: string}} message */
    postMessage(message) {
      reply(message, (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data }))));
    }
  };
})(self);
