// What to do about an error that the book does not have: where to search, what to ask.
fixbook.define("next_steps", function (use) {
  "use strict";
  const { strip, slice, length } = use("text");
  const { redact } = use("redact");
  const { libraries, limits, patterns, questions, issueSearch, blank } = use("constants");

  const [VALUES, QUOTED, WORD, ENDS] = [patterns.values, patterns.quotedName, patterns.plainWord, patterns.ends].map(
    (pattern) => new RegExp(pattern, "gu"));
  const ASKED = questions.map(({ when, ask }) => ({ when: new RegExp(when, "u"), ask }));

  /**
   * @param {Card} card
   * @returns {NextSteps}
   */
  function nextSteps(card) {
    const text = slice(redact(slice(strip(card.line.text), 0, limits.read)), 0, limits.said);
    const blanked = text.replace(VALUES, (...parts) => (parts[parts.length - 1].lead || "") + blank);
    const library = Object.hasOwn(libraries, card.library) ? libraries[card.library] : null;
    const repo = library ? library.repo : "";
    const terms = phrases(text, blanked).map((phrase) => '"' + phrase + '"');
    if (repo) terms.unshift("repo:" + repo);
    return {
      blanked,
      search: issueSearch + encodeURIComponent(terms.join(" ")),
      repo,
      docs: library ? library.docs : "",
      questions: asked(card),
    };
  }

  /**
   * What to search for word by word: the longest parts that hold no value of this run.
   * @param {string} text
   * @param {string} blanked
   */
  function phrases(text, blanked) {
    const parts = blanked.split(blank).map((part) => cut(part.replace(/["\\]/g, " ").replace(ENDS, "")));
    const telling = parts.filter((part) => (part.match(WORD) || []).length > 1);
    const longest = [...telling].sort((a, b) => length(b) - length(a)).slice(0, limits.phrases);
    const found = telling.filter((part) => longest.includes(part)).slice(0, limits.phrases);
    if (!found.length) return [cut(text.replace(/['"`]/g, "").replace(ENDS, ""))]; // a key, which is all that there is
    if (found.reduce((sum, part) => sum + length(part), 0) < limits.enough) {
      const names = [...text.matchAll(QUOTED)].map(([, name]) => name).filter((name) => !found.includes(name));
      found.push(...names.slice(0, limits.phrases));
    }
    return found;
  }

  /** @param {string} part */
  function cut(part) {
    const short = slice(part, 0, limits.phrase);
    return short === part ? part : short.slice(0, Math.max(0, short.lastIndexOf(" ")));
  }

  /**
   * The questions that fit, the last of which fits all.
   * @param {Card} card
   */
  function asked({ line, cause, library }) {
    const rank = line.rank === null ? "" : "rank";
    const because = cause ? slice(cause.text, 0, limits.said) : "";
    const about = [slice(line.text, 0, limits.said), because, library, rank].join(" ");
    const fitting = ASKED.filter(({ when }) => when.test(about)).map(({ ask }) => ask);
    return [...fitting.slice(0, -1).slice(0, limits.questions - 1), ...fitting.slice(-1)];
  }

  return { nextSteps };
});
