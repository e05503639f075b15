// Show an answer. Everything from a log becomes text nodes; only the book's own texts are HTML.
fixbook.define("view", function (use) {
  "use strict";
  const { words, fill, counted, where } = use("words");
  const { limits } = use("constants");
  const { el, section, link } = use("dom");
  const { adviceOf, prose } = use("advice_view");
  const { cardOf, nextOf, askedOf } = use("unknown_view");
  const { reportBox } = use("report");
  const WIDE = 600;

  /**
   * @param {Result} result
   * @param {Site} site
   * @returns {HTMLElement[]}
   */
  function view(result, site) {
    const { answer, asked, shown, notes } = result;
    const parts = asked ? [notYet(answer), ...askedOf(asked, site)] : [...head(answer, shown, site)];
    const others = answer.runner_ups;
    const noticed = answer.answer ? [] : others.filter((one) => one.secondary);
    for (const { name, note } of notes) {
      const text = fill(note === "zstd" ? words.zstd : words.partly, { name: name || words.the_log });
      parts.push(el("p", { class: "fb-note" }, text));
    }
    if (noticed.length) parts.push(section(words.noticed, listed(noticed, site, "")));
    const also = others.filter((one) => !noticed.includes(one));
    if (also.length) parts.push(section(words.also, listed(also, site, words.consequence)));
    const unknown = othersOf(answer);
    if (unknown.length) parts.push(section(words.unrecognised, lines(unknown)));
    parts.push(reportBox(result), el("p", { class: "fb-hint" }, counted("lines", answer.lines)));
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
    if (!found && !answer.exception && answer.guesses.length) { // words, not a log
      const items = answer.guesses.map((one) => el("li", null, link(one.title, addressOf(one), site)));
      yield el("h2", { id: "answer" }, words.by_words);
      yield el("ul", null, ...items);
      return;
    }
    if (!found) {
      yield notYet(answer);
      yield* unknown(answer, shown);
      return;
    }
    const entry = answer.kind === "entry";
    const badge = entry ? ["passed", "✓ " + words.specific] : ["certainty-inferred", "≈ " + words.possible];
    yield el("p", { class: "fb-diag__kind" },
      el("span", { class: "fb-badge fb-badge--" + badge[0] }, badge[1]), " ", words[answer.kind] + words.colon);
    yield el("h2", { id: "answer" }, link(found.title, addressOf(found), site));
    if (entry) yield el("p", { class: "fb-lede" }, found.summary);
    const ranks = found.ranks.slice(0, limits.ranks).join(", ");
    yield el("p", { class: "fb-status" }, where(found),
      found.ranks.length > 1 ? " · " + fill(words.ranks, { ranks }) : "");
    if (found.captures.length) yield values(found.captures);
    yield excerpt(shown.matches[0]);
    if (answer.exception) yield* cardOf(answer.exception);
    yield* further(answer);
    if (found.secondary) yield el("p", { class: "fb-note" }, words.secondary);
    if (entry && found.fixes) yield* adviceOf(/** @type {Advice} */ (found), found.slug || "", site);
    else if (!entry) yield* causes(found, site);
  }

  /** @param {Answer} answer */
  function notYet({ entries }) {
    return el("h2", { id: "answer" }, fill(words.not_yet, { entries }));
  }

  /**
   * Steps that are counted below.
   * @param {Answer} answer
   */
  function* further({ goes_on: below }) {
    if (!below) return;
    const line = String(below.line);
    yield el("p", { class: "fb-note" }, fill(below.sure ? words.goes_on : words.may_go_on, { line }));
  }

  /**
   * The error that the book does not have, and what to do about it.
   * @param {Answer} answer
   * @param {Result["shown"]} shown
   */
  function* unknown(answer, shown) {
    const { exception: card, next } = answer;
    if (!card || !next) {
      yield el("p", null, words.unknown_text);
      return;
    }
    if (!card.certain) yield el("p", null, words.likely + words.colon);
    yield el("p", { class: "fb-diag__error" }, el("code", null, card.text));
    yield el("p", { class: "fb-status" }, where(card));
    const seen = shown.unknown.find(({ line }) => line.number === card.line && line.rank === card.rank);
    if (seen) yield excerpt({ ...seen, pattern: null });
    yield* cardOf(card);
    yield* further(answer);
    yield nextOf(next, card);
  }

  /**
   * The exceptions that are not recognised, without the one that the answer is about.
   * @param {Answer} answer
   */
  function othersOf({ kind, unrecognised, exception: card }) {
    if (kind === "entry") return [];
    const others = unrecognised.filter((one) =>
      !card || one.source !== card.source || one.line !== card.line || one.rank !== card.rank);
    return others.slice(0, limits.unrecognised);
  }

  /** @param {Labelled[]} captures */
  function values(captures) {
    const pairs = captures.map(({ label, value }) => el("div", null, el("dt", null, label), el("dd", null, value)));
    return el("dl", { class: "fb-diag__values" }, ...pairs);
  }

  /**
   * @param {Found} found
   * @param {Site} site
   * @returns {Generator<HTMLElement>}
   */
  function* causes(found, site) {
    yield el("p", null, found.summary);
    yield el("div", { class: "fb-diag__advice" }, prose(site.advice[found.symptom || ""] || "", site));
    if (!found.causes.length) return;
    const items = found.causes.map(({ slug, title, ask }) =>
      el("li", null, ask, el("br"), "→ ", link(title, addressOf({ slug, title }), site)));
    yield section(words.ask, el("ul", { class: "fb-diag__causes" }, ...items));
  }

  /**
   * @param {Found[]} found
   * @param {Site} site
   * @param {string} consequence what is said of one that only notices
   */
  function listed(found, site, consequence) {
    const items = found.map((one) => {
      const note = one.secondary && consequence ? " (" + consequence + ")" : "";
      return el("li", null, link(one.title, addressOf(one), site), note + words.colon, where(one), " ", el("code", null, cut(one.text)));
    });
    return el("ul", null, ...items);
  }

  /** @param {Answer["unrecognised"]} found */
  function lines(found) {
    return el("ul", null, ...found.map((one) => el("li", null, where(one) + words.colon, el("code", null, cut(one.text.trim())))));
  }

  /**
   * The deciding line among its neighbours; what matched in it is marked.
   * @param {{around: Around, pattern: string | null, line: LogLine}} match without a pattern, the whole
   *   line is marked
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
   * @param {string | null} pattern
   */
  function marked(raw, text, pattern) {
    if (pattern === null) return [el("mark", null, cut(raw))];
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

  /** @param {string} text */
  function cut(text) {
    return text.length > WIDE ? text.slice(0, WIDE) + "…" : text;
  }

  return { view };
});
