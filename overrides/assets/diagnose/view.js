// Show an answer. Everything from a log becomes text nodes; only the book's own fixes are HTML.
fixbook.define("view", function (use) {
  "use strict";
  const { words, fill, counted, where } = use("words");
  const { limits } = use("constants");
  const { el, section, link, copyButton } = use("dom");
  const { reportOf } = use("report");
  const WIDE = 600;

  /**
   * @param {Result} result
   * @param {Site} site
   * @returns {HTMLElement[]}
   */
  function view(result, site) {
    const { answer, shown, notes } = result;
    const parts = [...head(answer, shown, site)];
    for (const { name, note } of notes) {
      const text = fill(note === "zstd" ? words.zstd : words.partly, { name: name || words.the_log });
      parts.push(el("p", { class: "fb-note" }, text));
    }
    if (answer.runner_ups.length) parts.push(section(words.also, others(answer.runner_ups, site)));
    if (answer.unrecognised.length) {
      parts.push(section(answer.answer ? words.unrecognised : words.errors, unknown(answer)));
    }
    if (answer.guesses.length) {
      const items = answer.guesses.map((one) => el("li", null, link(one.title, addressOf(one), site)));
      parts.push(section(words.guesses, el("ul", null, ...items)));
    }
    parts.push(report(result), el("p", { class: "fb-hint" }, counted("lines", answer.lines)));
    return parts;
  }

  /**
   * @param {Named} named an entry or a message
   * @returns {string}
   */
  function addressOf({ slug, symptom }) {
    return (slug || "symptoms/" + symptom) + "/";
  }

  /**
   * @param {Answer} answer
   * @param {Result["shown"]} shown
   * @param {Site} site
   * @returns {Generator<HTMLElement>}
   */
  function* head(answer, shown, site) {
    const found = answer.answer;
    if (!found) {
      yield el("h2", { id: "answer" }, words.unknown);
      yield el("p", null, words.unknown_text);
      return;
    }
    const entry = answer.kind === "entry";
    const badge = entry ? ["passed", "✓ " + words.specific] : ["certainty-inferred", "≈ " + words.possible];
    yield el("p", { class: "fb-diag__kind" },
      el("span", { class: "fb-badge fb-badge--" + badge[0] }, badge[1]), " ", words[answer.kind] + words.colon);
    yield el("h2", { id: "answer" }, link(found.title, addressOf(found), site));
    const ranks = found.ranks.slice(0, limits.ranks).join(", ");
    yield el("p", { class: "fb-status" }, where(found),
      found.ranks.length > 1 ? " · " + fill(words.ranks, { ranks }) : "");
    if (found.captures.length) yield values(found.captures);
    yield excerpt(shown.matches[0]);
    if (found.secondary) yield el("p", { class: "fb-note" }, words.secondary);
    if (entry) yield fix(found, site);
    else yield* causes(found, site);
  }

  /** @param {Labelled[]} captures */
  function values(captures) {
    const pairs = captures.map(({ label, value }) => el("div", null, el("dt", null, label), el("dd", null, value)));
    return el("dl", { class: "fb-diag__values" }, ...pairs);
  }

  /**
   * @param {Found} found
   * @param {Site} site
   */
  function fix(found, site) {
    const box = el("div", { class: "fb-fixnow" }, el("h3", null, words.fix));
    const body = el("div");
    body.innerHTML = site.fixes[found.slug || ""] || "";
    for (const anchor of body.querySelectorAll("a")) {
      anchor.href = new URL(anchor.getAttribute("href") || "", site.root).href;
    }
    box.append(body, el("p", null, link(words.whole_entry, addressOf(found), site)));
    return box;
  }

  /**
   * @param {Found} found
   * @param {Site} site
   * @returns {Generator<HTMLElement>}
   */
  function* causes(found, site) {
    yield el("p", null, found.summary);
    if (!found.causes.length) return;
    const items = found.causes.map(({ slug, title, ask }) =>
      el("li", null, ask, el("br"), "→ ", link(title, addressOf({ slug, title }), site)));
    yield section(words.ask, el("ul", { class: "fb-diag__causes" }, ...items));
  }

  /**
   * @param {Found[]} found
   * @param {Site} site
   */
  function others(found, site) {
    const items = found.map((one) => {
      const note = one.secondary ? " (" + words.consequence + ")" : "";
      return el("li", null, link(one.title, addressOf(one), site), note + words.colon, where(one), " ", el("code", null, cut(one.text)));
    });
    return el("ul", null, ...items);
  }

  /** @param {Answer} answer */
  function unknown(answer) {
    const items = answer.unrecognised.slice(0, limits.unrecognised).map((one) =>
      el("li", null, where(one) + words.colon, el("code", null, cut(one.text.trim()))));
    return el("ul", null, ...items);
  }

  /**
   * The deciding line among its neighbours; what matched in it is marked.
   * @param {Result["shown"]["matches"][number]} match
   */
  function excerpt({ around, pattern, line }) {
    const first = line.number - around.before.length;
    const rows = around.before.map((text, at) => row(first + at, [cut(text)]));
    rows.push(row(line.number, marked(around.text, line.text, pattern), "fb-excerpt__line--hit"));
    around.after.forEach((text, at) => rows.push(row(line.number + 1 + at, [cut(text)])));
    const code = el("code", null, ...rows);
    return el("pre", { class: "fb-excerpt", tabindex: "0", role: "region", "aria-label": words.context }, code);
  }

  /**
   * @param {number} number
   * @param {(Node | string)[]} parts
   */
  function row(number, parts, kind = "") {
    return el("span", { class: "fb-excerpt__line " + kind },
      el("span", { class: "fb-excerpt__number", "aria-hidden": "true" }, String(number)), ...parts, "\n");
  }

  /**
   * @param {string} raw the line as it stands in the log
   * @param {string} text the line without prefixes
   * @param {string} pattern
   */
  function marked(raw, text, pattern) {
    const regex = new RegExp(pattern, "u");
    const shown = regex.test(raw) ? raw : text;
    const match = regex.exec(shown);
    if (!match) return [cut(shown)];
    const start = Math.max(0, match.index - WIDE / 3);
    const end = match.index + match[0].length;
    return [
      (start ? "…" : "") + shown.slice(start, match.index),
      el("mark", null, cut(match[0])),
      cut(shown.slice(end, end + WIDE)),
    ];
  }

  /** @param {Result} result */
  function report(result) {
    const unknownLog = !result.answer.answer;
    const area = el("textarea", { class: "fb-diag__report", rows: "14", spellcheck: "false", "aria-label": words.report_label });
    const box = el("details", { class: "fb-more" },
      el("summary", null, unknownLog ? words.report : words.report_wrong),
      el("p", null, words.report_text), area, copyButton(() => area.value, area));
    box.addEventListener("toggle", () => {
      if (box.open && !area.value) area.value = reportOf(result);
    });
    box.open = unknownLog;
    return box;
  }

  /** @param {string} text */
  function cut(text) {
    return text.length > WIDE ? text.slice(0, WIDE) + "…" : text;
  }

  return { view };
});
