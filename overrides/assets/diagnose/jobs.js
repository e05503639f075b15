// The worker side of the diagnosis page: logs come in, progress and one answer go out.
fixbook.define("jobs", function (use) {
  "use strict";
  const { Engine } = use("engine");
  const STEP = 16 * 1024 * 1024;

  /**
   * @param {DedicatedWorkerGlobalScope} scope
   * @param {{index: object, advice: object}} data
   */
  function serve(scope, { index, advice }) {
    const engine = new Engine({ ...index, asks: advice.asks, fixes: advice.fixes });
    scope.onmessage = async function ({ data: { id, logs, top } }) {
      let said = 0;
      const progress = function (bytes) {
        if (bytes - said < STEP) return;
        said = bytes;
        scope.postMessage({ id, bytes });
      };
      try {
        const result = await engine.answer(logs, progress, top);
        scope.postMessage({ id, result });
      } catch (error) {
        scope.postMessage({ id, failed: String((error && error.message) || error) });
      }
    };
    scope.postMessage({ ready: true });
  }

  return { serve };
});
