// Show an answer. Everything from a log becomes text nodes; only the book's own fixes are HTML.
fixbook.define("view", function (use) {
  "use strict";
  const { wordsOf } = use("words");
  const { el, section, link, copyButton } = use("dom");
  const { reportOf } = use("report");
  const WIDE = 600;

  /**
   * @param {{answer: object, shown: object, notes: object[]}} result
   * @param {{lang: string, root: string, fixes: Object<string, string>}} site
   * @returns {HTMLElement[]}
   */
  function view(result, site) {
    const words = wordsOf(site.lang);
    const { answer, shown, notes } = result;
    const parts = [...head(answer, shown, words, site)];
    for (const { name, note } of notes) {
      const text = note === "zstd" ? words.zstd(name) : words.partly(name);
      parts.push(el("p", { class: "fb-note" }, text));
    }
    if (answer.runner_ups.length) parts.push(section(words.also, others(answer.runner_ups, words, site)));
    if (answer.unrecognised.length) parts.push(section(answer.answer ? words.unrecognised : words.errors, unknown(answer, shown, words)));
    if (answer.guesses.length) {
      const items = answer.guesses.map(({ slug, title }) => el("li", null, link(title, slug + "/", site)));
      parts.push(section(words.guesses, el("ul", null, ...items)));
    }
    parts.push(report(result, words), el("p", { class: "fb-hint" }, words.lines(answer.lines)));
    return parts;
  }

  function* head(answer, shown, words, site) {
    const found = answer.answer;
    if (!found) {
      yield el("h2", { id: "answer" }, words.unknown);
      yield el("p", null, words.unknownText);
      return;
    }
    const entry = answer.kind === "entry";
    const address = (entry ? found.slug : "symptoms/" + found.symptom) + "/";
    const badge = entry ? ["passed", "✓ " + words.specific] : ["certainty-inferred", "≈ " + words.possible];
    yield el("p", { class: "fb-diag__kind" },
      el("span", { class: "fb-badge fb-badge--" + badge[0] }, badge[1]), " ", words[answer.kind] + words.colon);
    yield el("h2", { id: "answer" }, link(found.title, address, site));
    yield el("p", { class: "fb-status" }, words.where(found),
      found.ranks.length > 1 ? " · " + words.ranks(found.ranks.slice(0, 16).join(", ")) : "");
    if (found.captures.length) yield values(found.captures);
    yield excerpt(shown.findings[0], words);
    if (found.secondary) yield el("p", { class: "fb-note" }, words.secondary);
    if (entry) yield fix(found, words, site);
    else yield* causes(found, words, site);
  }

  function values(captures) {
    const pairs = captures.map(({ label, value }) => el("div", null, el("dt", null, label), el("dd", null, value)));
    return el("dl", { class: "fb-diag__values" }, ...pairs);
  }

  function fix(found, words, site) {
    const box = el("div", { class: "fb-fixnow" }, el("h3", null, words.fix));
    const body = el("div");
    body.innerHTML = site.fixes[found.slug] || "";
    for (const anchor of body.querySelectorAll("a[href]")) {
      anchor.href = new URL(anchor.getAttribute("href"), site.root);
    }
    box.append(body, el("p", null, link(words.more, found.slug + "/", site)));
    return box;
  }

  function* causes(found, words, site) {
    yield el("p", null, found.summary);
    if (!found.causes.length) return;
    const items = found.causes.map(({ slug, title, ask }) =>
      el("li", null, ask, el("br"), "→ ", link(title, slug + "/", site)));
    yield section(words.ask, el("ul", { class: "fb-diag__causes" }, ...items));
  }

  function others(found, words, site) {
    const items = found.map((one) => {
      const address = (one.slug || "symptoms/" + one.symptom) + "/";
      const note = one.secondary ? " (" + words.consequence + ")" : "";
      return el("li", null, link(one.title, address, site), note + words.colon, words.where(one), " ", el("code", null, cut(one.text)));
    });
    return el("ul", null, ...items);
  }

  function unknown(answer, shown, words) {
    const items = answer.unrecognised.slice(0, 5).map((one) =>
      el("li", null, words.where(one) + words.colon, el("code", null, cut(one.text.trim()))));
    return el("ul", null, ...items);
  }

  /** The deciding line among its neighbours; what matched in it is marked. */
  function excerpt({ around, pattern, line }, words) {
    const first = line.number - around.before.length;
    const rows = [];
    around.before.forEach((text, at) => rows.push(row(first + at, [cut(text)])));
    rows.push(row(line.number, marked(around.text, line.text, pattern), "fb-excerpt__line--hit"));
    around.after.forEach((text, at) => rows.push(row(line.number + 1 + at, [cut(text)])));
    const code = el("code", null, ...rows);
    return el("pre", { class: "fb-excerpt", tabindex: "0", role: "region", "aria-label": words.context }, code);
  }

  function row(number, parts, kind = "") {
    return el("span", { class: "fb-excerpt__line " + kind },
      el("span", { class: "fb-excerpt__number", "aria-hidden": "true" }, String(number)), ...parts, "\n");
  }

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

  function report(result, words) {
    const unknownLog = !result.answer.answer;
    const area = el("textarea", { class: "fb-diag__report", rows: "14", spellcheck: "false", "aria-label": words.reportLabel });
    const button = copyButton(() => area.value, words, area);
    const box = el("details", { class: "fb-more" },
      el("summary", null, unknownLog ? words.report : words.reportWrong),
      el("p", null, words.reportText), area, button);
    box.addEventListener("toggle", () => {
      if (box.open && !area.value) area.value = reportOf(result);
    });
    box.open = unknownLog;
    return box;
  }

  function cut(text) {
    return text.length > WIDE ? text.slice(0, WIDE) + "…" : text;
  }

  return { view };
});
