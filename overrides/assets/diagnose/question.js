// Tell words that somebody types from a piece of a log, for which nobody should guess.
fixbook.define("question", function (use) {
  "use strict";
  const { limits, patterns } = use("constants");
  const { strip, split, length } = use("text");
  const LOG_MARK = new RegExp(patterns.logMark, "u");

  /**
   * @param {string} text what was typed or pasted
   * @returns {boolean}
   */
  function isQuestion(text) {
    const asked = strip(text);
    if (!asked || length(asked) > limits.question) return false;
    return split(asked).length <= limits.questionWords && !LOG_MARK.test(asked);
  }

  return { isQuestion };
});
