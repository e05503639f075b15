// Lines of a chunk of bytes: those with something in them, those around one, the rank one is about.
fixbook.define("lines", function (use) {
  "use strict";
  const { named } = use("normalise");
  const { limits, patterns } = use("constants");

  const RANK_IN_LINE = new RegExp(patterns.rankInLine, "u");
  const ROW = new RegExp(patterns.row, "u");
  const ROW_OF_RANK = new RegExp(patterns.rowOfRank, "gu");
  const AROUND = 4; // lines shown before and after the one that decides
  const WIDE = 2000; // bytes of a neighbour that are shown
  const FEED = 10;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * Group hits by line: its start and end, and the literals in it.
   * @param {Uint8Array} chunk
   * @param {[number, number][]} hits
   */
  function* linesWithHits(chunk, hits) {
    let end = -1;
    let start = 0;
    /** @type {Set<number>} */
    let literals = new Set();
    for (const [offset, literal] of hits) {
      if (offset > end) {
        if (end >= 0) yield { start, end, literals };
        start = chunk.lastIndexOf(FEED, offset - 1) + 1;
        const found = chunk.indexOf(FEED, offset);
        end = found >= 0 ? found : chunk.length;
        literals = new Set();
      }
      literals.add(literal);
    }
    if (end >= 0) yield { start, end, literals };
  }

  /**
   * The raw lines around one, for people to read.
   * @param {Uint8Array} chunk
   * @param {number} start
   * @param {number} end
   * @returns {Around}
   */
  function neighbours(chunk, start, end) {
    /** @type {string[]} */
    const before = [];
    /** @type {string[]} */
    const after = [];
    for (let at = start; at > 0 && before.length < AROUND; ) {
      const from = at > 1 ? chunk.lastIndexOf(FEED, at - 2) + 1 : 0;
      before.unshift(shown(chunk, from, at - 1));
      at = from;
    }
    for (let at = end + 1; at < chunk.length && after.length < AROUND; ) {
      const found = chunk.indexOf(FEED, at);
      const to = found < 0 ? chunk.length : found;
      after.push(shown(chunk, at, to));
      at = to + 1;
    }
    return { before, text: shown(chunk, start, end), after };
  }

  /**
   * @param {Uint8Array} chunk
   * @param {number} from
   * @param {number} to
   */
  function shown(chunk, from, to) {
    const text = decoder.decode(chunk.subarray(from, Math.min(to, from + WIDE)));
    return last(text);
  }

  /** @param {string} text of a line that a progress bar may have rewritten */
  function last(text) {
    let size = text.length;
    while (text[size - 1] === "\r") size -= 1;
    return text.slice(0, size).split("\r").pop() || "";
  }

  /**
   * @param {string[]} lines of a text
   * @param {number} at
   * @returns {Around} the lines around one of them
   */
  function linesAround(lines, at) {
    /** @param {string} line */
    const cut = (line) => last(line.slice(0, WIDE));
    const before = lines.slice(Math.max(0, at - AROUND), at).map(cut);
    return { before, text: cut(lines[at] || ""), after: lines.slice(at + 1, at + 1 + AROUND).map(cut) };
  }

  /**
   * @param {string} message
   * @param {{chunk: Uint8Array, start: number}} place
   * @returns {number | null} the rank that a line of a launcher is about, or that stands above it in its table
   */
  function rankAbout(message, { chunk, start }) {
    if (message.includes("rank") || message.includes("Rank")) {
      const rank = named(RANK_IN_LINE.exec(message));
      if (rank !== null) return rank;
    }
    if (!ROW.test(message)) return null;
    const above = decoder.decode(chunk.subarray(Math.max(0, start - limits.table), start));
    return named([...above.matchAll(ROW_OF_RANK)].pop() || null);
  }

  return { linesWithHits, neighbours, linesAround, rankAbout };
});
