// The page side of the configuration checker: started when it is first needed, ended to cancel.
fixbook.define("config_runner", function () {
  "use strict";

  const PASTED = "pasted"; // what the checker calls a text without a name
  const LARGEST = 1024 * 1024; // what the checker reads; of more it needs only the size

  class ConfigRunner {
    /** @param {string} here folder of these scripts */
    constructor(here) {
      this.here = here;
      this.id = 0;
      /** @type {Worker | null} */
      this.worker = null;
      /** @type {((reason: Error | null) => void) | null} */
      this.reject = null;
    }

    /** Load the checker early, while a reader still looks at what was pasted. */
    start() {
      this.worker = this.worker || new Worker(this.here + "config_worker.js", { type: "module" });
      return this.worker;
    }

    /**
     * @param {Log[]} files
     * @param {string} lang
     * @param {string} tool such as axolotl@0.19.0; empty to recognise it
     * @returns {Promise<CheckReport>} rejected with null if another run or `cancel` ended it
     */
    async run(files, lang, tool) {
      if (this.reject) this.cancel();
      const worker = this.start();
      const id = ++this.id;
      const read = await Promise.all(files.map(async ({ name, blob }) => {
        const content = await blob.slice(0, LARGEST + 1).arrayBuffer();
        return [name || PASTED, new Uint8Array(content)];
      }));
      if (id !== this.id) throw null;
      return new Promise((resolve, reject) => {
        /** @param {string} message */
        const fail = (message) => {
          this.stop();
          reject(new Error(message));
        };
        this.reject = reject;
        worker.onerror = (event) => fail(event.message || "the checker did not start");
        worker.onmessage = ({ data }) => {
          if (data.failed && (data.id === id || !data.id)) fail(data.failed);
          if (data.id !== id || !data.result) return;
          this.reject = null;
          resolve(data.result);
        };
        worker.postMessage({ id, files: read, lang, tool });
      });
    }

    /** End what is running; the next run loads the checker anew. */
    cancel() {
      const { reject } = this;
      this.id += 1;
      this.stop();
      if (reject) reject(null);
    }

    stop() {
      if (this.worker) this.worker.terminate();
      this.worker = this.reject = null;
    }
  }

  return { ConfigRunner, PASTED };
});
