// The page side of the worker: start it early, hand it logs, end it to cancel.
fixbook.define("runner", function () {
  "use strict";

  /**
   * On file:// no worker may be loaded, but one may be made of text and given its data.
   * @param {string} here
   */
  async function fromText(here) {
    if (!fixbook.data.advice) {
      for (const name of [...fixbook.engine, "jobs.js"]) await fixbook.load(here + name);
      await fixbook.load(here + "../../search/fixbook.js");
      await fixbook.load(here + "../../search/advice.js");
    }
    const text = fixbook.source() + "\nself.onmessage = (event) => fixbook.use('jobs').serve(self, event.data);";
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.postMessage({ index: fixbook.data.index, advice: fixbook.data.advice });
    return worker;
  }

  class Runner {
    /** @param {string} here folder of these scripts */
    constructor(here) {
      this.here = here;
      this.id = 0;
      /** @type {((reason: Error | null) => void) | null} */
      this.reject = null;
      this.worker = this.start();
    }

    /** @returns {Promise<Worker>} resolved when it has said that it is ready */
    start() {
      const worker = location.protocol === "file:" ? fromText(this.here) : new Worker(this.here + "log_worker.js");
      const ready = Promise.resolve(worker).then(
        (started) =>
          /** @type {Promise<Worker>} */ (new Promise((resolve, reject) => {
            started.onmessage = () => resolve(started);
            started.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
          }))
      );
      ready.catch(() => {});
      return ready;
    }

    /**
     * @param {Log[]} logs
     * @param {Progress} progress
     * @returns {Promise<Result>} rejected with null if another run or `cancel` ended it
     */
    async run(logs, progress) {
      if (this.reject) this.cancel();
      const id = ++this.id;
      const worker = await this.worker;
      if (id !== this.id) throw null;
      return new Promise((resolve, reject) => {
        this.reject = reject;
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }) => {
          if (data.id !== id) return;
          if (data.result || data.failed) this.reject = null;
          if (data.result) resolve(data.result);
          else if (data.failed) reject(new Error(data.failed));
          else progress(data.bytes);
        };
        worker.postMessage({ id, logs, top: 5 });
      });
    }

    /** End what is running; the next run starts anew. */
    cancel() {
      const { reject } = this;
      this.id += 1;
      this.reject = null;
      this.worker.then((worker) => worker.terminate(), () => {});
      this.worker = this.start();
      if (reject) reject(null);
    }
  }

  return { Runner };
});
