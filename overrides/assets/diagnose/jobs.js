// The worker side of the diagnosis page: logs come in, progress and one answer go out.
fixbook.define("jobs", function (use) {
  "use strict";
  const { Engine } = use("engine");
  const STEP = 16 * 1024 * 1024;

  /**
   * @param {WorkerScope} scope
   * @param {{index: IndexData, advice: AdviceData}} data
   */
  function serve(scope, { index, advice }) {
    const engine = new Engine({ ...index, asks: advice.asks, advice: advice.advice });
    scope.onmessage = async function ({ data: { id, logs, top } }) {
      let said = 0;
      /** @type {Progress} */
      const progress = function (bytes) {
        if (bytes - said < STEP) return;
        said = bytes;
        scope.postMessage({ id, bytes });
      };
      try {
        const result = await engine.answer(logs, progress, top);
        scope.postMessage({ id, result });
      } catch (error) {
        scope.postMessage({ id, failed: error instanceof Error ? error.message : String(error) });
      }
    };
    scope.postMessage({ ready: true });
  }

  return { serve };
});
