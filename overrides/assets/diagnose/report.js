// The text of a report, redacted: what was found, and the part of the log that matters.
fixbook.define("report", function (use) {
  "use strict";
  const { redact } = use("redact");
  const { issues, limits } = use("constants");
  const { words } = use("words");
  const { el, copyButton, outside } = use("dom");
  const MOST = 24000;

  /**
   * @param {Result} result
   * @returns {HTMLDetailsElement} where a report can be read, corrected and taken along
   */
  function reportBox(result) {
    const unknown = !result.answer.answer;
    const area = el("textarea", { class: "fb-diag__report", rows: "14", spellcheck: "false", "aria-label": words.report_label });
    const box = el("details", { class: "fb-more" },
      el("summary", null, unknown ? words.report : words.report_wrong),
      el("p", null, words.report_text), area, copyButton(() => area.value, area));
    if (issues) {
      const open = outside(words.report_open, issues);
      const fill = () => {
        open.href = issueAddress(titleOf(result.answer), area.value);
      };
      open.className = "fb-button";
      for (const name of ["pointerdown", "focus"]) open.addEventListener(name, fill);
      box.append(" ", open);
    }
    box.addEventListener("toggle", () => {
      if (box.open && !area.value) area.value = reportOf(result);
    });
    return box;
  }

  /** @param {Answer} answer */
  function titleOf({ answer, exception, next }) {
    const about = answer || exception;
    const text = next ? next.blanked : about ? about.text : "Not recognised";
    return redact(text).trim().slice(0, limits.title);
  }

  /**
   * @param {string} title
   * @param {string} body its end is left out where the address would be too long
   */
  function issueAddress(title, body) {
    let rest = body;
    while (encodeURIComponent(rest).length > limits.address) {
      rest = Array.from(rest).slice(0, Math.floor(rest.length * 0.75)).join("");
    }
    return issues + "?title=" + encodeURIComponent(title) + "&body=" + encodeURIComponent(rest);
  }

  /**
   * @param {Result} result
   * @returns {string} Markdown
   */
  function reportOf({ answer, shown }) {
    const said = answer.answer
      ? `Answered: ${answer.answer.slug || answer.answer.symptom} (${answer.answer.certainty}, ${answer.answer.signature}), line ${answer.answer.line}`
      : "Answered: not recognised";
    const printed = answer.exception ? answer.exception.versions : {};
    const versions = Object.entries(printed).map((pair) => pair.join(" ")).join(", ");
    /** @type {[string, string][]} title and log */
    const parts = shown.unknown.slice(0, 3).map(({ around, line }) => ["line " + line.number, text(around)]);
    if (answer.answer) parts.unshift(["line " + answer.answer.line, text(shown.matches[0].around)]);
    parts.push(["end of the log", shown.tail]);
    const blocks = parts.map(([title, log]) => title + "\n" + fenced(redact(log)));
    return [
      said,
      `Read: ${answer.lines} lines`,
      "Expected: ",
      "Versions (torch, framework, driver): " + versions,
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

  return { reportBox };
});
