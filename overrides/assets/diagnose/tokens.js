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
  const COMMON = new RegExp(patterns.common, "gu");
  const CARD = new RegExp(patterns.card, "gu");
  const HAN = /^[\u3400-\u9fff]/;
  const HAN_STOP = new RegExp(patterns.hanStop, "u");
  const STEM = new RegExp("^(?:" + patterns.stem + ")$", "u");
  const DIGITS = /^[0-9]+$/;
  const STOP = new Set(search.stop);

  /**
   * @param {string} text a query or a document
   * @returns {Ranked[]} lower-case tokens with their weights
   */
  function tokensOf(text) {
    return (text.replace(HEX, " ").match(WORD) || []).flatMap(tokensIn);
  }

  /**
   * @param {string} word
   * @returns {Ranked[]}
   */
  function tokensIn(word) {
    if (HAN.test(word)) return pairs(word).map((pair) => [pair, search.hanWeight]);
    if (DIGITS.test(word)) return word.length <= search.mostDigits ? [[word, search.numberWeight]] : [];
    const whole = word.toLowerCase().replace(/^_+|_+$/g, "");
    /** @type {Ranked[]} */
    const found = whole.length > 1 && !STOP.has(whole) ? [[stemOf(whole), 1]] : [];
    const parts = word.match(PART) || [];
    if (parts.length < 2) return found;
    for (const part of parts.map((one) => one.toLowerCase())) {
      const tells = part.length > 1 && !DIGITS.test(part) && !STOP.has(part);
      if (tells) found.push([stemOf(part), search.partWeight]);
    }
    return found;
  }

  /**
   * @param {string} text of Han characters
   * @returns {string[]} every two of them that no word of a question parts
   */
  function pairs(text) {
    const runs = text.split(HAN_STOP).filter(Boolean);
    return runs.flatMap((run) =>
      Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2))
    );
  }

  /**
   * @param {string} word in lower case
   * @returns {string} without its ending; identifiers come back as they are
   */
  function stemOf(word) {
    const found = STEM.exec(word);
    return found ? found[1] : word;
  }

  /**
   * @param {string} text an alias, or a query
   * @returns {string} the token of the whole phrase
   */
  function phraseOf(text) {
    const tokens = tokensOf(telling(text)).filter(([, weight]) => weight !== search.partWeight);
    return tokens.length ? "=" + tokens.map(([token]) => token).join("=") : "";
  }

  /** @param {string} text */
  function uncommon(text) {
    return text.replace(COMMON, " ").replace(CARD, " ");
  }

  /**
   * @param {string} text a query, or an alias
   * @returns {string} without what people add to any question, unless nothing else would be left
   */
  function telling(text) {
    const rest = uncommon(text);
    return tokensOf(rest).length ? rest : text;
  }

  /**
   * @param {string} text
   * @returns {boolean} whether a query says nothing but what people add to any
   */
  function isBare(text) {
    return !tokensOf(uncommon(text)).length;
  }

  /**
   * @param {string} text
   * @returns {string[]} the cards that it names
   */
  function cardsIn(text) {
    return text.match(CARD) || [];
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

  return { tokensOf, phraseOf, stemOf, cleanQuery, telling, isBare, cardsIn };
});
