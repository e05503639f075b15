// Tell words that somebody types from a piece of a log, for which nobody should guess.
fixbook.define("question", function (use) {
  "use strict";
  const { limits, patterns } = use("constants");
  const { strip, length } = use("text");
  const LOG_MARK = new RegExp(patterns.logMark, "u");

  /**
   * @param {string} text what was typed or pasted
   * @returns {boolean}
   */
  function isQuestion(text) {
    const asked = strip(text);
    if (length(asked) > limits.question || asked.split("\n").length > limits.questionLines) return false;
    return asked !== "" && !LOG_MARK.test(asked);
  }

  return { isQuestion };
});
