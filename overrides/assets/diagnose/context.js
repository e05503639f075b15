// What stands before a line, in which the traceback of an exception is looked for.
fixbook.define("context", function (use) {
  "use strict";
  const { limits } = use("constants");
  const FEED = 10;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * The whole lines before one, as far back as they are kept.
   * @param {Uint8Array} earlier what was read before the chunk
   * @param {Uint8Array} chunk where the line stands
   * @param {number} start its offset
   * @returns {string}
   */
  function linesBefore(earlier, chunk, start) {
    const from = Math.max(0, start - limits.context);
    const kept = Math.min(earlier.length, limits.context - (start - from));
    const before = new Uint8Array(kept + start - from);
    before.set(earlier.subarray(earlier.length - kept));
    before.set(chunk.subarray(from, start), kept);
    return decoder.decode(before.length < limits.context ? before : before.subarray(before.indexOf(FEED) + 1));
  }

  return { linesBefore };
});
