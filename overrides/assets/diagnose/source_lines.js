// Source lines of tracebacks: what stands on one is code, and the exception below tells what it did.
fixbook.define("source_lines", function (use) {
  "use strict";
  const { cleanLine, partsOf } = use("normalise");
  const { limits, patterns } = use("constants");

  const ERROR = new RegExp(patterns.error, "u");
  const [FRAME, MARKS, RAISE] = [patterns.tracebackFrame, patterns.marks, patterns.raise].map(
    (pattern) => new RegExp("^(?:" + pattern + ")", "u"));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const FEED = 10;

  /**
   * @param {string} text
   * @returns {boolean} whether it is a line that raises: what it says is in the exception
   */
  function raises(text) {
    return RAISE.test(text);
  }

  /**
   * Tell whether a line is code that a traceback prints, and what was raised there.
   * @param {LogLine} line cleaned
   * @param {Place} place where it stands
   * @param {number | null} rank of lines that name none
   * @returns {{line: LogLine, place: Place} | null | undefined} the exception, or the line itself
   * where the log breaks off below it; null for a frame that only called another; undefined for a line that is no source line
   */
  function raisedAt(line, place, rank) {
    if (FRAME.test(line.text) || ERROR.test(line.text)) return undefined;
    const { chunk, start, end } = place;
    const before = linesOf(chunk.subarray(Math.max(0, start - limits.sourceRoom), start)).slice(0, -1);
    const above = nextOfRank(before.reverse(), line.rank, rank);
    if (!above || !FRAME.test(above.text) || indent(line.text) <= indent(above.text)) return undefined;
    const after = linesOf(chunk.subarray(end + 1, end + 1 + limits.sourceRoom));
    const below = nextOfRank(after, line.rank, rank);
    if (!below) return { line, place };
    if (raises(line.text) || !ERROR.test(below.text)) return null;
    const from = end + 1 + after.slice(0, below.at).reduce((sum, one) => sum + one.length + 1, 0);
    const number = place.number + below.at + 1;
    return {
      line: { number, text: below.text, rank: line.rank },
      place: { ...place, number, start: from, end: from + after[below.at].length },
    };
  }

  /** @param {string} text */
  function indent(text) {
    let at = 0;
    while (text[at] === " " || text[at] === "\t") at += 1;
    return at;
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array[]}
   */
  function linesOf(bytes) {
    const lines = [];
    let from = 0;
    for (let at = bytes.indexOf(FEED); at >= 0; at = bytes.indexOf(FEED, from)) {
      lines.push(bytes.subarray(from, at));
      from = at + 1;
    }
    return [...lines, bytes.subarray(from)];
  }

  /**
   * @param {Uint8Array[]} lines
   * @param {number | null} wanted
   * @param {number | null} rank of lines that name none
   * @returns {{at: number, text: string} | null} the first of a rank that holds more than marks
   */
  function nextOfRank(lines, wanted, rank) {
    for (const [at, raw] of lines.slice(0, limits.sourceLines).entries()) {
      for (const part of partsOf(decoder.decode(raw))) {
        const cleaned = cleanLine(part);
        if ((cleaned.rank ?? rank) === wanted && !MARKS.test(cleaned.text)) return { at, text: cleaned.text };
      }
    }
    return null;
  }

  return { raises, raisedAt };
});
