// Whether training goes on below a line: then the run did not end there. Steps that are counted further
// say so: a progress bar, which is written at once, or printed lines, which may be late.
fixbook.define("going_on", function (use) {
  "use strict";
  const { strip } = use("text");
  const { cleanLine, partsOf } = use("normalise");
  const { limits, patterns } = use("constants");

  const BAR = new RegExp("^(?:" + patterns.bar + ")", "u");
  const [STEP, EPOCH, ERROR, TIME] = [patterns.step, patterns.epoch, patterns.error, patterns.time].map(
    (pattern) => new RegExp(pattern, "u"));
  const MADE = new RegExp(patterns.made, "u");
  const ERRORS = -1; // in the place of a matcher
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * @typedef {{kind: string, of: string, rank: number | null, value: number}} Count
   */

  /**
   * @param {Scan} scan of which only the end is read
   * @param {number} number of a line
   * @returns {GoesOn | null} the steps that are counted below; null where the run may have ended there
   */
  function goesOnBelow(scan, number) {
    const first = Math.max(0, number - scan.before);
    /** @type {Map<string, {value: number, rises: number}>} */
    const counts = new Map();
    /** @type {GoesOn | null} */
    let found = null;
    let size = 0;
    let at = scan.before + first;
    for (const raw of decoder.decode(scan.tail).split("\n").slice(first)) {
      at += 1;
      size += Array.from(raw).length + 1;
      for (const { kind, of, rank, value } of counted(raw)) {
        const key = JSON.stringify([kind, of, rank]);
        const last = counts.get(key);
        if (last && last.value - limits.behind <= value && value <= last.value) continue;
        const rises = (last ? last.rises : 0) + Number(last !== undefined && value > last.value);
        counts.set(key, { value, rises });
        if (rises < limits.rises) continue;
        const live = kind === "bar" || size > limits.late || TIME.test(raw);
        found = { line: at, sure: live || (found !== null && found.sure) };
      }
    }
    return found;
  }

  /**
   * @param {string} raw
   * @returns {Generator<Count>} what a line counts
   */
  function* counted(raw) {
    const folded = raw.toLowerCase();
    if (!raw.includes("|") && !folded.includes("step") && !folded.includes("iter") && !raw.includes("epoch")) return;
    for (const part of partsOf(raw)) {
      const { text, rank } = cleanLine(part);
      const bar = BAR.exec(strip(text));
      if (bar && bar.groups) {
        yield { kind: "bar", of: bar.groups.of, rank, value: Number(bar.groups.at) };
        continue;
      }
      const step = MADE.test(text) ? STEP.exec(text) || EPOCH.exec(text) : null;
      if (step && step.groups) yield { kind: "step", of: "", rank, value: Number(step.groups.at) };
    }
  }

  /** What is counted below the failures of some logs; each is looked for once. */
  class Below {
    /**
     * @param {Scan[]} scans
     * @param {Index} index
     * @param {Hit[][]} errors the errors of each that nothing explains
     */
    constructor(scans, index, errors) {
      this.scans = new Map([...scans].reverse().map((scan) => [scan.source, scan]));
      /** @type {Map<string, number[]>} what found these errors, by source */
      this.errors = new Map(
        errors.filter(([first]) => first).map((hits) => [hits[0].source, hits.map(({ matcher }) => matcher)])
      );
      this.index = index;
      /** @type {Map<string, GoesOn | null>} */
      this.known = new Map();
    }

    /**
     * @param {Hit[]} hits of one entry or message; the log of the first counts
     * @returns {GoesOn | null}
     */
    hits(hits) {
      const { last } = this.scanOf(hits[0].source);
      return this.below(hits[0].source, Math.max(...hits.map(({ matcher }) => last.get(matcher) || 0)));
    }

    /**
     * @param {Hit[]} hits
     * @returns {boolean} whether a run went on for certain after an error, or after what ends runs
     */
    gotOver(hits) {
      const ends = hits.some(({ matcher, line }) => this.index.matchers[matcher].secondary || ERROR.test(line.text));
      const found = ends ? this.hits(hits) : null;
      return found !== null && found.sure;
    }

    /**
     * @param {string} source
     * @returns {GoesOn | null} what goes on below the last error of a log that nothing explains
     */
    error(source) {
      const { last } = this.scanOf(source);
      const jobs = [ERRORS, ...(this.errors.get(source) || [])];
      return this.below(source, Math.max(...jobs.map((job) => last.get(job) || 0)));
    }

    /** @param {string} source */
    scanOf(source) {
      return /** @type {Scan} */ (this.scans.get(source));
    }

    /**
     * @param {string} source
     * @param {number} number
     */
    below(source, number) {
      const key = JSON.stringify([source, number]);
      let found = this.known.get(key);
      if (found === undefined) {
        found = goesOnBelow(this.scanOf(source), number);
        this.known.set(key, found);
      }
      return found;
    }
  }

  return { Below };
});
