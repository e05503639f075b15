// Clean a line of a log: colour codes, and the prefixes of launchers and loggers; keep the rank.
fixbook.define("normalise", function (use) {
  "use strict";
  const { length } = use("text");
  const { limits, patterns } = use("constants");

  const ESCAPES = new RegExp(patterns.escapes, "gu");
  const PREFIXES = new RegExp(patterns.prefixes, "uy");

  /**
   * Take colour codes and prefixes off one line.
   * @param {string} raw
   * @returns {{text: string, rank: number | null}}
   */
  function cleanLine(raw) {
    let text = raw.includes("\x1b") ? raw.replace(ESCAPES, "") : raw;
    let rank = null;
    for (let round = 0; round < limits.prefixes; round++) {
      PREFIXES.lastIndex = 0;
      const prefix = PREFIXES.exec(text);
      if (!prefix) break;
      const { launcher, mpi, srun } = prefix.groups || {};
      const named = launcher || mpi || srun;
      if (named && rank === null) rank = Number(named);
      text = text.slice(prefix[0].length);
    }
    return { text, rank };
  }

  /**
   * Cut a very long line into windows that overlap.
   * @param {string} text
   * @returns {string[]}
   */
  function windows(text) {
    const { window, overlap } = limits;
    if (text.length <= window) return [text];
    const total = length(text);
    if (total <= window) return [text];
    const points = total === text.length ? text : Array.from(text);
    const found = [];
    for (let start = 0; start < total; start += window - overlap) {
      const part = points.slice(start, start + window);
      found.push(typeof part === "string" ? part : part.join(""));
    }
    return found;
  }

  return { cleanLine, windows };
});
