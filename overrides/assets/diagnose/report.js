// The text of a report, redacted: what was found, and the part of the log that matters.
fixbook.define("report", function (use) {
  "use strict";
  const { redact } = use("redact");
  const { issues, limits, reportFields } = use("constants");
  const { words, fill } = use("words");
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
      const form = unknown ? "not-recognised" : "wrong-match";
      const follow = () => {
        open.href = issueAddress(form, titleOf(result.answer), fieldsIn(area.value));
      };
      open.className = "fb-button";
      for (const name of ["pointerdown", "focus"]) open.addEventListener(name, follow);
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
    const text = next ? next.blanked : about ? about.text : words.report_title;
    return redact(text).trim().slice(0, limits.title);
  }

  /**
   * @param {string} form
   * @param {string} title
   * @param {Record<string, string>} fields the end of the longest is left out where the address would be too long
   */
  function issueAddress(form, title, fields) {
    /** @type {Record<string, string>} */
    const parts = { template: form + ".yml", title, ...fields };
    for (;;) {
      const query = Object.entries(parts).filter((pair) => pair[1])
        .map(([name, text]) => name + "=" + encodeURIComponent(text)).join("&");
      const address = issues + "?" + query;
      if (address.length <= limits.address) return address;
      const longest = Object.keys(parts).reduce((one, two) => (parts[two].length > parts[one].length ? two : one));
      parts[longest] = Array.from(parts[longest]).slice(0, Math.floor(parts[longest].length * 0.75)).join("");
    }
  }

  /**
   * @param {string} body a report, as it was corrected
   * @returns {Record<string, string>} what stands under each of its headings
   */
  function fieldsIn(body) {
    const pieces = body.split(/^### +(.+?) *$/mu);
    /** @type {Record<string, string>} */
    const found = {};
    for (let at = 1; at < pieces.length; at += 2) {
      const name = reportFields.find((field) => pieces[at].includes(words["report_" + field]));
      if (name && !(name in found)) found[name] = pieces[at + 1].trim();
    }
    return found;
  }

  /**
   * @param {Result} result
   * @returns {string} Markdown, as an issue reads that the form has made
   */
  function reportOf({ answer, shown }) {
    const { answer: found } = answer;
    const said = found
      ? fill(words.report_answered, { name: found.slug || found.symptom || "", certainty: found.certainty, signature: found.signature, line: found.line })
      : words.report_none;
    const printed = answer.exception ? answer.exception.versions : {};
    /** @type {[string, string][]} title and log */
    const parts = shown.unknown.slice(0, 3).map(({ around, line }) => [fill(words.line, { line: line.number }), text(around)]);
    if (found) parts.unshift([fill(words.line, { line: found.line }), text(shown.matches[0].around)]);
    parts.push([words.report_end, shown.tail]);
    /** @type {Record<string, string>} */
    const fields = {
      answer: said + words.semicolon + fill(words.report_read, { lines: answer.lines }),
      expected: "",
      versions: Object.entries(printed).map((pair) => pair.join(" ")).join(", "),
      hardware: words.report_env,
      log: Array.from(parts.map(([title, log]) => title + "\n" + fenced(redact(log))).join("\n")).slice(0, MOST).join(""),
    };
    return reportFields.map((name) => "### " + words["report_" + name] + "\n\n" + fields[name]).join("\n\n");
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
