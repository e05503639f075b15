// Whether a case of an entry is what the reader's log shows: met, open or against. A log that does not
// tell leaves a condition open.
fixbook.define("cases", function (use) {
  "use strict";
  const { patterns } = use("constants");
  const [NUMBER, RELEASE] = [patterns.caseNumber, patterns.release].map((pattern) => new RegExp("^(?:" + pattern + ")$", "u"));
  /** @type {Standing[]} */
  const ORDER = ["met", "open", "against"];

  /**
   * @param {Match} match
   * @param {Diagnosis} diagnosis
   * @returns {Shown} what the logs show of a match
   */
  function shownBy(match, { matches, explained, exception, found }) {
    const card = explained && match === matches[0] ? exception : null;
    return {
      captures: Object.fromEntries(match.captures.map(({ name, value }) => [name, value])),
      found,
      libraries: card ? card.libraries : [],
      traced: card !== null && Boolean(card.user || card.libraries.length),
      versions: card ? card.versions : {},
      ranks: match.ranks.length,
    };
  }

  /**
   * How advice stands: one case met is enough; without any case it is open.
   * @param {Case[]} cases
   * @param {Shown} shown
   * @returns {Standing}
   */
  function standingOf(cases, shown) {
    const standings = cases.map(({ all }) => caseOf(all, shown));
    return ORDER.find((one) => standings.includes(one)) || "open";
  }

  /**
   * How one case stands: its worst condition decides.
   * @param {CaseCondition[]} conditions
   * @param {Shown} shown
   * @returns {Standing}
   */
  function caseOf(conditions, shown) {
    const standings = conditions.map((one) => condition(one, shown));
    return [...ORDER].reverse().find((one) => standings.includes(one)) || "open";
  }

  /**
   * @param {CaseCondition} row
   * @param {Shown} shown
   * @returns {Standing | null} null for one that has nothing against the log
   */
  function condition(row, shown) {
    switch (row[0]) {
      case "capture":
        return tested(own(shown.captures, row[1]), row[2], shown.captures);
      case "log":
        return shown.found.has(row[1]) ? "met" : "open";
      case "unless":
        return shown.found.has(row[1]) ? "against" : null;
      case "frames":
        return among(shown.libraries, row[1]);
      case "unless-frames":
        return outside(shown, row[1]);
      case "library":
        return among(shown.libraries.slice(0, 1), row[1]);
      case "version":
        return within(own(shown.versions, row[1]) || "", row[2]);
      default:
        return tested(shown.ranks ? String(shown.ranks) : null, row[1], {});
    }
  }

  /**
   * @param {Record<string, string>} values
   * @param {string} name
   */
  function own(values, name) {
    return Object.hasOwn(values, name) ? values[name] : null;
  }

  /**
   * @param {string[]} libraries
   * @param {string[]} names
   * @returns {Standing}
   */
  function among(libraries, names) {
    if (!libraries.length) return "open";
    return names.some((name) => libraries.includes(name)) ? "met" : "against";
  }

  /**
   * @param {Shown} shown
   * @param {string[]} names
   * @returns {Standing}
   */
  function outside({ traced, libraries }, names) {
    if (!traced) return "open";
    return names.some((name) => libraries.includes(name)) ? "against" : "met";
  }

  /**
   * @param {string | null} value
   * @param {CaseTest[]} tests
   * @param {Record<string, string>} captures
   * @returns {Standing}
   */
  function tested(value, tests, captures) {
    if (value === null) return "open";
    const answers = tests.map((one) => test(value, one, captures));
    return answers.includes(false) ? "against" : answers.includes(null) ? "open" : "met";
  }

  /**
   * @param {string} value
   * @param {CaseTest} asked
   * @param {Record<string, string>} captures
   * @returns {boolean | null} null where a number is asked for and there is none
   */
  function test(value, asked, captures) {
    if (asked[0] === "in") return asked[1].includes(value);
    if (asked[0] === "matches") return new RegExp(asked[1], "u").test(value);
    const whole = asked[2] === undefined ? "1" : own(captures, asked[2]) || "";
    if (!NUMBER.test(value) || !NUMBER.test(whole)) return null;
    const bound = asked[1] * Number(whole);
    return asked[0] === "over" ? Number(value) > bound : Number(value) < bound;
  }

  /**
   * Compare the numbers of a release; a candidate or a nightly build tells nothing.
   * @param {string} version
   * @param {CaseBound[]} bounds
   * @returns {Standing}
   */
  function within(version, bounds) {
    const release = RELEASE.exec(version);
    if (!release) return "open";
    const numbers = release[1].split(".").map(Number);
    return bounds.every((bound) => holds(numbers, bound)) ? "met" : "against";
  }

  /**
   * @param {number[]} numbers
   * @param {CaseBound} bound
   */
  function holds(numbers, [operator, bound]) {
    const width = Math.max(numbers.length, bound.length);
    let order = 0;
    for (let at = 0; at < width && !order; at++) order = Math.sign((numbers[at] || 0) - (bound[at] || 0));
    if (operator === "==" || operator === "!=") return (order === 0) === (operator === "==");
    if (order === 0) return operator.endsWith("=");
    return order < 0 === operator.startsWith("<");
  }

  return { ORDER, shownBy, standingOf, caseOf };
});
