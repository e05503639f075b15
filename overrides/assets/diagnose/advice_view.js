// Show what an answer says to do: the fix, how to check, the other cases. Code and what the log says
// become text; the explanations are HTML of the book.
fixbook.define("advice_view", function (use) {
  "use strict";
  const { words, fill } = use("words");
  const { copyButton, el, link, section } = use("dom");

  /**
   * @param {Advice} advice
   * @param {string} slug
   * @param {Site} site
   * @returns {Generator<HTMLElement>}
   */
  function* adviceOf({ fixes, avoid, detect }, slug, site) {
    const [first, ...others] = fixes;
    const whole = el("p", null, link(words.whole_entry, slug + "/", site));
    yield el("div", { class: "fb-fixnow" },
      el("p", { class: "fb-eyebrow" }, words.fix), el("h3", null, first.title), ...remedy(first, site));
    for (const { title, text } of avoid) {
      yield section(words.avoid + words.colon + title, prose(text, site));
    }
    if (detect) yield section(words.check, prose(detect.text, site), ...coded(detect.code));
    if (others.length) yield section(words.cases, el("div", null, ...others.map((fix) => folded(fix, site))));
    yield whole;
  }

  /**
   * @param {FixAdvice} fix
   * @param {Site} site
   */
  function folded(fix, site) {
    const said = fix.says.length ? el("span", { class: "fb-case__says" }, shows(fix), el("br"), "→ ") : null;
    return el("details", { class: "fb-more fb-case" }, el("summary", null, said, fix.title), ...remedy(fix, site, false));
  }

  /** @param {FixAdvice} fix */
  function shows({ says, standing }) {
    return words[standing === "met" ? "shows" : "if_shows"] + words.colon + says.join(words.semicolon);
  }

  /**
   * @param {FixAdvice} fix
   * @param {Site} site
   * @param {boolean} withCase whether to say when it is the one
   */
  function remedy(fix, site, withCase = true) {
    const parts = [];
    if (withCase && fix.says.length) parts.push(el("p", { class: "fb-case__says" }, shows(fix)));
    parts.push(prose(fix.text, site), ...coded(fix.code));
    for (const { tool, version, text } of fix.changes) {
      parts.push(el("p", { class: "fb-hint" }, fill(words.for_tool, { tool, version }) + words.colon));
      parts.push(...coded({ language: "diff", text }));
    }
    if (fix.trade_off) parts.push(el("div", { class: "fb-trade" }, el("strong", null, words.trade_off), words.colon, prose(fix.trade_off, site)));
    return parts;
  }

  /**
   * A block of code with a button that copies it; of a change, its new lines.
   * @param {Code | null} code
   */
  function coded(code) {
    if (!code) return [];
    const { language, text } = code;
    const lines = text.split("\n").filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    return [block(el("pre", { tabindex: "0" }, el("code", null, text)), language === "diff" ? lines.join("\n") : text)];
  }

  /**
   * @param {Element} pre
   * @param {string} text what is copied
   */
  function block(pre, text) {
    return el("div", { class: "fb-code" }, pre, copyButton(() => text));
  }

  /**
   * The book's own text, the only HTML of an answer.
   * @param {string} html
   * @param {Site} site
   */
  function prose(html, site) {
    const body = el("div");
    body.innerHTML = html;
    for (const anchor of body.querySelectorAll("a")) {
      anchor.href = new URL(anchor.getAttribute("href") || "", site.root).href;
    }
    for (const pre of body.querySelectorAll("pre")) {
      const place = document.createComment("");
      pre.replaceWith(place);
      place.replaceWith(block(pre, (pre.textContent || "").trimEnd()));
    }
    return body;
  }

  return { adviceOf, prose };
});
