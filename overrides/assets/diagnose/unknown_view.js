// Show an exception, and what to do about one that the book does not have.
fixbook.define("unknown_view", function (use) {
  "use strict";
  const { words, fill, lacking } = use("words");
  const { el, section, link, outside, inline } = use("dom");

  /**
   * What the log tells of an exception: where it was raised, what it follows from, what ran before.
   * @param {NonNullable<Answer["exception"]>} card
   * @returns {Generator<HTMLElement>}
   */
  function* cardOf({ user, frame, library, cause, before, versions }) {
    /** @type {[string, Node][]} */
    const rows = [];
    if (user) rows.push([words.raised_in, framed(user, true)]);
    if (frame) rows.push([fill(words.in_library, { library }), framed(frame, false)]);
    if (cause) {
      const place = " (" + fill(words.line, { line: cause.line }) + ")";
      rows.push([words.cause, el("span", null, el("code", null, cause.text), place)]);
    }
    if (before) rows.push([words.before, el("code", null, before)]);
    const listed = Object.entries(versions).map((pair) => pair.join(" ")).join(", ");
    if (listed) rows.push([words.versions, document.createTextNode(listed)]);
    if (!rows.length) return;
    const pairs = rows.map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value)));
    yield el("dl", { class: "fb-diag__values fb-diag__card" }, ...pairs);
  }

  /**
   * @param {Frame} frame
   * @param {boolean} withCode
   */
  function framed(frame, withCode) {
    const place = frame.file + ":" + frame.line + (frame.function ? " (" + frame.function + ")" : "");
    const code = withCode && frame.code ? el("code", { class: "fb-diag__source" }, frame.code) : null;
    return el("span", null, el("code", null, place), code);
  }

  /**
   * @param {NextSteps} next
   * @param {NonNullable<Answer["exception"]>} card
   */
  function nextOf({ blanked, search, repo, docs, questions }, { library }) {
    const where = repo ? fill(words.search_in, { repo }) : words.search_all;
    const items = [
      el("li", null, outside(where, search), words.colon, el("code", null, blanked), " ", el("span", { class: "fb-hint" }, words.follows)),
    ];
    if (docs) items.push(el("li", null, outside(fill(words.docs, { library }), docs)));
    const asked = questions.map((question) => el("li", null, ...inline(question)));
    items.push(el("li", null, words.narrow + words.colon, el("ul", null, ...asked)));
    return section(words.next, el("ul", { class: "fb-diag__next" }, ...items));
  }

  /**
   * What is said of words that nothing in the book answers.
   * @param {Asked} asked
   * @param {Site} site
   * @returns {Generator<HTMLElement>}
   */
  function* askedOf({ elsewhere, nearest, search }, site) {
    if (elsewhere.length) yield el("p", null, lacking(elsewhere));
    yield el("p", null, outside(words.search_words, search), " ", el("span", { class: "fb-hint" }, words.follows_words));
    if (!nearest.length) return;
    const items = nearest.map(({ slug, symptom, title }) => el("li", null, link(title, (slug || "symptoms/" + symptom) + "/", site)));
    yield section(words.nearest_are, el("ul", null, ...items));
  }

  return { cardOf, nextOf, askedOf };
});
