// Split a text into weighted tokens: identifiers whole and in parts, Han text as bigrams.
fixbook.define("tokens", function (use) {
  "use strict";
  const { cleanLine } = use("normalise");
  const { strip } = use("text");
  const { patterns, search } = use("constants");

  const WORD = new RegExp(patterns.word, "gu");
  const PART = new RegExp(patterns.part, "gu");
  const HEX = new RegExp(patterns.hex, "gu");
  const FRAME = new RegExp(patterns.frame, "u");
  const PATH = new RegExp(patterns.path, "gu");
  const LINE_END = new RegExp(patterns.lineEnd, "u");
  const HAN = /^[\u3400-\u9fff]/;
  const STOP = new Set(search.stop);

  /**
   * @param {string} text a query or a document
   * @returns {Ranked[]} lower-case tokens with their weights
   */
  function tokensOf(text) {
    /** @type {Ranked[]} */
    const found = [];
    for (const word of text.replace(HEX, " ").match(WORD) || []) {
      if (HAN.test(word)) {
        const last = Math.max(1, word.length - 1);
        for (let at = 0; at < last; at++) found.push([word.slice(at, at + 2), search.hanWeight]);
        continue;
      }
      const whole = word.toLowerCase().replace(/^_+|_+$/g, "");
      if (whole.length > 1 && !STOP.has(whole)) found.push([whole, 1]);
      const parts = word.match(PART) || [];
      if (parts.length < 2) continue;
      for (const part of parts.map((one) => one.toLowerCase())) {
        if (part.length > 1 && !/^[0-9]+$/.test(part) && !STOP.has(part)) found.push([part, search.partWeight]);
      }
    }
    return found;
  }

  /**
   * Take what is not the error off a pasted text: prefixes, paths, line numbers of frames.
   * @param {string} text
   * @returns {string} the text itself if nothing would be left
   */
  function cleanQuery(text) {
    const lines = text.split(LINE_END).map((raw) => {
      const line = cleanLine(raw).text;
      const frame = FRAME.exec(line);
      return frame ? frame[1] + " " + frame[2] : line.replace(PATH, "");
    });
    return strip(lines.join("\n")) || text;
  }

  return { tokensOf, cleanQuery };
});
