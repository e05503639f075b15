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
   * @returns {number} how far it tells of a failure: 0 for a sentence in which nothing is amiss, as it
   *   asks how to do things; 1 if something is; 2 if a failure is told; 3 for a few words
   */
  function failureTold(text, telling) {
    const short = split(strip(telling)).length < limits.sentenceWords && (telling.match(HAN) || []).length < limits.sentenceHan;
    const said = text.replace(CHOICE, "");
    if (short) return 3;
    return FAILS.test(said) ? 2 : Number(AMISS.test(said));
  }

  return { isQuestion, failureTold };
});
