// Clean a line of a log: colour codes, and the prefixes of launchers and loggers; keep the rank.
fixbook.define("normalise", function (use) {
  "use strict";
  const { length } = use("text");
  const { plain, unquoted } = use("disguise");
  const { limits, patterns } = use("constants");

  const BOX_END = new RegExp(patterns.boxEnd, "u");
  const PREFIXES = new RegExp(patterns.prefixes, "uy");

  /**
   * Take colour codes and prefixes off one line.
   * @param {string} raw
   * @returns {{text: string, rank: number | null}}
   */
  function cleanLine(raw) {
    const text = plain(raw);
    let at = 0;
    let rank = null;
    for (let round = 0; round < limits.prefixes; round++) {
      let start = at;
      while (text[start] === " " || text[start] === "\t") start += 1;
      PREFIXES.lastIndex = start;
      const prefix = PREFIXES.exec(text);
      if (!prefix || (prefix.groups && prefix.groups.srun && start - at > limits.beforeTask)) break;
      if (rank === null) rank = named(prefix);
      at = start + prefix[0].length;
    }
    return { text: text.slice(at).replace(BOX_END, ""), rank };
  }

  /**
   * @param {RegExpExecArray | null} match of a pattern whose groups are ranks
   * @returns {number | null} the rank that it names
   */
  function named(match) {
    const rank = match && match.slice(1).filter(Boolean).pop();
    return rank ? Number(rank) : null;
  }

  /**
   * Cut one line where a progress bar rewrote it, and where a JSON string has line feeds.
   * @param {string} raw
   * @returns {string[]}
   */
  function partsOf(raw) {
    let size = raw.length;
    while (raw[size - 1] === "\r") size -= 1;
    return raw.slice(0, size).split("\r").flatMap(unquoted);
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

  return { cleanLine, named, partsOf, windows };
});
