// The answer of a diagnosis as plain data, the same as `fixbook diagnose --json` prints.
fixbook.define("answer", function (use) {
  "use strict";
  const { slice, strip } = use("text");
  const { nextSteps } = use("next_steps");
  const { limits } = use("constants");

  /**
   * @param {Diagnosis} diagnosis
   * @param {Index} index
   * @param {Ranked[]} guesses search results, where nothing was recognised
   * @param {number} top how many runner-ups to name
   * @returns {Answer}
   */
  function answerOf(diagnosis, index, guesses, top = 3) {
    const best = (diagnosis.explained && diagnosis.matches[0]) || null;
    const others = diagnosis.matches.slice(best ? 1 : 0).filter((one) => one.specific || !best || !best.specific);
    let card = diagnosis.exception;
    if (card && guesses.length) { // of words, and words are no exception; of a log nothing is guessed
      if (card.certain) guesses = [];
      else card = null;
    }
    return {
      kind: best === null ? "unknown" : best.specific ? "entry" : "symptom",
      answer: best && found(best, index),
      exception: card && exceptionOf(card),
      goes_on: diagnosis.goesOn,
      next: card && !best ? nextSteps(card) : null,
      runner_ups: others.slice(0, top).map((one) => found(one, index)),
      unrecognised: diagnosis.unknown.map(({ line, source }) => ({
        line: line.number,
        source,
        rank: line.rank,
        text: slice(line.text, 0, limits.text),
      })),
      guesses: guesses.map(([name, score]) => ({ ...named(name, name in index.causes, index), score: Number(score.toFixed(2)) })),
      lines: diagnosis.lines,
      entries: Object.keys(index.data.titles).length - Object.keys(index.causes).length,
    };
  }

  /**
   * @param {Card} card
   * @returns {Answer["exception"]}
   */
  function exceptionOf({ kind, certain, line, source, cause, user, library, frame, before, versions }) {
    return {
      kind,
      certain,
      text: shown(line),
      source,
      line: line.number,
      rank: line.rank,
      cause: cause && { line: cause.number, text: shown(cause) },
      user,
      library,
      frame,
      before: before ? shown(before) : "",
      versions,
    };
  }

  /** @param {LogLine} line */
  function shown({ text }) {
    return slice(strip(text), 0, limits.text);
  }

  /**
   * @param {string} name
   * @param {boolean} shared true for a message, false for an entry
   * @param {Index} index
   * @returns {Named}
   */
  function named(name, shared, index) {
    return { [shared ? "symptom" : "slug"]: name, title: index.data.titles[name].title };
  }

  /**
   * @param {Match} match
   * @param {Index} index
   * @returns {Found}
   */
  function found(match, index) {
    const { titles, asks, advice } = index.data;
    const { owner, specific, line } = match;
    return {
      ...named(owner, !specific, index),
      summary: titles[owner].summary,
      certainty: specific ? "specific" : "possible cause",
      secondary: match.secondary,
      signature: match.signature,
      source: match.source,
      line: line.number,
      rank: line.rank,
      ranks: match.ranks,
      text: shown(line),
      captures: labelled(match, index.data.labels),
      advice: (!specific && advice && advice[owner]) || null,
      causes: match.causes.map((slug) => ({
        slug,
        title: titles[slug].title,
        ask: (asks && asks[owner + "/" + slug]) || "",
      })),
    };
  }

  /**
   * Values of the named groups with what they mean; groups without a label are left out.
   * @param {Match} match
   * @param {Record<string, string>} labels
   * @returns {Labelled[]}
   */
  function labelled({ owner, captures }, labels) {
    return captures
      .map((one) => ({ ...one, label: labels[[owner, one.signature, one.name].join("/")] }))
      .filter(({ label }) => label !== undefined);
  }

  return { answerOf, labelled };
});
