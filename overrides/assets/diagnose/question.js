// Tell words that somebody types, a few or a sentence, from a piece of a log, for which nobody
// should guess.
fixbook.define("question", function (use) {
  "use strict";
  const { limits, patterns } = use("constants");
  const { strip, split, length } = use("text");
  const [FAILS, AMISS] = [patterns.fails, patterns.amiss].map((pattern) => new RegExp(pattern, "u"));
  const CHOICE = new RegExp(patterns.choice, "gu");
  const HAN = /[\u3400-\u9fff]/g;
  const [LOG_MARK, OPENING, ASKS, TELLS] = [patterns.logMark, "^(?:" + patterns.opening + ")", patterns.asks, patterns.tells].map(
    (pattern) => new RegExp(pattern, "u"));

  /**
   * @param {string} text what was typed or pasted
   * @returns {boolean}
   */
  function isQuestion(text) {
    const asked = strip(text);
    if (!asked || length(asked) > limits.question) return false;
    const words = split(asked).length;
    if (words > limits.questionWords || LOG_MARK.test(asked.replace(OPENING, ""))) return false;
    return words <= limits.fewWords || !TELLS.test(asked) || ASKS.test(asked);
  }

  /**
   * @param {string} text what was typed
   * @param {string} telling that without what people add to any question
   * @returns {number} how far it tells of a failure: 0 for a sentence in which nothing is amiss, and 2
   *   for a short one; 1 for a long one in which something is; 3 if a failure is told; 4 for a few words,
   *   and for a short sentence in which something is amiss
   */
  function failureTold(text, telling) {
    const [words, signs] = [split(strip(telling)).length, (telling.match(HAN) || []).length];
    if (words < limits.sentenceWords && signs < limits.sentenceHan) return 4;
    const said = text.replace(CHOICE, "");
    if (FAILS.test(said)) return 3;
    if (words >= limits.longWords || signs >= limits.longHan) return Number(AMISS.test(said));
    return AMISS.test(said) ? 4 : 2;
  }

  return { isQuestion, failureTold };
});
