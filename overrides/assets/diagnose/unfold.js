// A one-line box turns line feeds into blanks. Put them back where lines of logs are known to begin.
fixbook.define("unfold", function () {
  "use strict";

  const SHORT = 100;
  const BEGINNINGS = [
    "Traceback \\(most recent call last\\):",
    'File "[^"]+", line \\d+',
    "\\[(?:rank|default)\\d+\\]:",
    "\\[\\d+,\\d+\\]<std(?:out|err)>:",
    "\\((?:[\\w.]+ )?pid=\\d+",
    "\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d",
    "(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \\d\\d-\\d\\d ",
    "[IWEF]\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+",
    "(?:[A-Za-z_]\\w*\\.)*[A-Za-z_]\\w*(?:Error|Exception|Interrupt): ",
    "(?:The above exception was|During handling of the above exception)",
    "Root Cause \\(first observed failure\\)",
  ];
  const BETWEEN = new RegExp("(?<![ \\t])[ \\t]+(?=" + BEGINNINGS.join("|") + ")", "g");
  // "RuntimeError: ValueError: x" is one message, and so is "[rank0]: RuntimeError: x".
  const GLUED = /((?:Error|Exception|\]):?)\n(?=[\w.]*(?:Error|Exception|Interrupt): )/g;
  const STAMP = /(\[(?:rank|default)\d+\]:)\n/g;

  /**
   * @param {string} text
   * @returns {string} with the lines that it probably had
   */
  function unfold(text) {
    if (text.length < SHORT || /[\r\n]/.test(text)) return text;
    return text.replace(BETWEEN, "\n").replace(STAMP, "$1 ").replace(GLUED, "$1 ");
  }

  return { unfold };
});
