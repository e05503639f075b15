// The answer of a diagnosis as plain data, the same as `fixbook diagnose --json` prints.
fixbook.define("answer", function (use) {
  "use strict";
  const { slice, strip } = use("text");
  const LINE = 300;

  /**
   * @param {object} diagnosis what `decide` returned
   * @param {import("./index.js").Index} index
   * @param {[string, number][]} guesses ranked search results, where nothing was recognised
   * @param {number} top how many runner-ups to name
   */
  function answerOf(diagnosis, index, guesses, top = 3) {
    const { titles } = index.data;
    const best = diagnosis.findings[0] || null;
    const others = diagnosis.findings.slice(1).filter((one) => one.specific || !best.specific);
    return {
      kind: best === null ? "unknown" : best.specific ? "entry" : "symptom",
      answer: best && found(best, index),
      runner_ups: others.slice(0, top).map((one) => found(one, index)),
      unrecognised: diagnosis.unknown.map(({ line, source }) => ({
        line: line.number,
        source,
        rank: line.rank,
        text: slice(line.text, 0, LINE),
      })),
      guesses: guesses.map(([slug, score]) => ({ slug, title: titles[slug].title, score: Number(score.toFixed(2)) })),
      lines: diagnosis.lines,
    };
  }

  function found(finding, index) {
    const { titles, asks, fixes } = index.data;
    const { owner, specific, line } = finding;
    return {
      [specific ? "slug" : "symptom"]: owner,
      title: titles[owner].title,
      summary: titles[owner].summary,
      certainty: specific ? "specific" : "possible cause",
      secondary: finding.secondary,
      signature: finding.signature,
      source: finding.source,
      line: line.number,
      rank: line.rank,
      ranks: finding.ranks,
      text: slice(strip(line.text), 0, LINE),
      captures: labelled(finding, index.data.labels),
      fix: (fixes && fixes[owner]) || null,
      causes: finding.causes.map((slug) => ({
        slug,
        title: titles[slug].title,
        ask: (asks && asks[owner + "/" + slug]) || "",
      })),
    };
  }

  /** Values of the named groups with what they mean; groups without a label are left out. */
  function labelled(finding, labels) {
    const all = [];
    for (const [name, value] of Object.entries(finding.captures)) {
      const key = Object.keys(labels).find((one) => one.startsWith(finding.owner + "/") && one.endsWith("/" + name));
      if (key) all.push({ name, label: labels[key], value });
    }
    return all;
  }

  return { answerOf, labelled };
});
