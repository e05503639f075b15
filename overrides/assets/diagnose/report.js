// The text of a report, redacted: what was found, and the part of the log that matters.
fixbook.define("report", function (use) {
  "use strict";
  const { redact } = use("redact");
  const MOST = 24000;

  /**
   * @param {Result} result
   * @returns {string} Markdown
   */
  function reportOf({ answer, shown }) {
    const said = answer.answer
      ? `Answered: ${answer.answer.slug || answer.answer.symptom} (${answer.answer.certainty}, ${answer.answer.signature}), line ${answer.answer.line}`
      : "Answered: not recognised";
    /** @type {[string, string][]} title and log */
    const parts = shown.unknown.slice(0, 3).map(({ around, line }) => ["line " + line.number, text(around)]);
    if (answer.answer) parts.unshift(["line " + answer.answer.line, text(shown.matches[0].around)]);
    parts.push(["end of the log", shown.tail]);
    const blocks = parts.map(([title, log]) => title + "\n" + fenced(redact(log)));
    return [
      said,
      `Read: ${answer.lines} lines`,
      "Expected: ",
      "Versions (torch, framework, driver): ",
      "Hardware: ",
      "",
      ...blocks,
    ].join("\n").slice(0, MOST);
  }

  /** @param {Around} around */
  function text({ before, text: line, after }) {
    return [...before, line, ...after].join("\n");
  }

  /** @param {string} log */
  function fenced(log) {
    const longest = Math.max(2, ...(log.match(/`+/g) || []).map((run) => run.length));
    const ticks = "`".repeat(longest + 1);
    return ticks + "text\n" + log + "\n" + ticks + "\n";
  }

  return { reportOf };
});
