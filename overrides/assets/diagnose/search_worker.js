// Behind Material's search box, in place of its own worker: the same messages, our search.
// In a page on file://, which may not start workers, it stands in for the worker itself.
(function (scope) {
  "use strict";
  const SETUP = 0;
  const READY = 1;
  const QUERY = 2;
  const RESULT = 3;
  const inPage = typeof scope.document !== "undefined";
  const here = new URL("./", inPage ? scope.document.currentScript.src : scope.location.href).href;
  let finder = null;
  let loading = null;
  let latest = 0;

  function made() {
    const { Engine } = scope.fixbook.use("engine");
    const { Finder } = scope.fixbook.use("find");
    return new Finder(new Engine(scope.fixbook.data.index), inPage ? "index.html" : "");
  }

  /** The index is loaded with the first query, not with every page. */
  function loadInWorker() {
    scope.importScripts(here + "loader.js");
    scope.importScripts(...scope.fixbook.engine.map((name) => here + name), here + "../../search/fixbook.js");
  }

  async function loadInPage() {
    const add = (url) =>
      new Promise((resolve, reject) => {
        const script = scope.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = () => reject(new Error("cannot load " + url));
        scope.document.head.append(script);
      });
    await add(here + "loader.js");
    for (const name of scope.fixbook.engine) await add(here + name);
    await add(here + "../../search/fixbook.js");
  }

  /**
   * @param {string} query
   * @returns {Promise<object[][]>}
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

  async function reply({ type, data }, send) {
    if (type === SETUP) send({ type: READY });
    if (type !== QUERY) return;
    const number = ++latest;
    const items = await answer(data);
    if (number === latest) send({ type: RESULT, data: { items } }); // the latest query counts
  }

  if (!inPage) {
    scope.onmessage = (event) => reply(event.data, (message) => scope.postMessage(message));
    return;
  }
  if (scope.location.protocol !== "file:") return;
  const Native = scope.Worker;
  scope.Worker = class extends EventTarget {
    constructor(url) {
      super();
      if (!String(url).includes("diagnose/search_worker.js")) return new Native(url);
    }

    postMessage(message) {
      reply(message, (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data }))));
    }
  };
})(self);
