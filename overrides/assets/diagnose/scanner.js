// The patterns of an index, ready to be looked for in many logs.
fixbook.define("scanner", function (use) {
  "use strict";
  const { Prefilter } = use("prefilter");
  const { disguisesOf } = use("disguise");
  const { lowered } = use("chunks");
  const { Scan } = use("scan");
  const { errorLiterals } = use("constants");

  /** Scans logs with one index; it can be used for many logs. */
  class Scanner {
    /**
     * @param {Index} index
     * @param {boolean} folded true to take capital and small letters for the same
     */
    constructor(index, folded = false) {
      this.index = index;
      this.folded = folded;
      /** @type {Map<string, Job[]>} */
      const byLiteral = new Map();
      /** @param {string} text */
      const fold = (text) => (folded ? text.replace(/[A-Z]/g, (sign) => sign.toLowerCase()) : text);
      /**
       * @param {string[]} literals
       * @param {Job[]} jobs
       */
      const add = function (literals, ...jobs) {
        for (const literal of literals.map(fold)) {
          byLiteral.set(literal, [...(byLiteral.get(literal) || []), ...jobs]);
        }
      };
      index.matchers.forEach((matcher, number) => add(matcher.literals.flatMap(disguisesOf), number));
      for (const [pattern, literals] of Object.entries(index.surroundings)) add(literals.flatMap(disguisesOf), pattern);
      add(errorLiterals);
      this.jobs = [...byLiteral.values()];
      const literals = [...byLiteral.keys()];
      this.errors = errorLiterals.map((literal) => literals.indexOf(fold(literal)));
      this.prefilter = new Prefilter(literals);
    }

    /** @param {Uint8Array} chunk */
    places(chunk) {
      return this.prefilter.find(this.folded ? lowered(chunk) : chunk);
    }

    /** @param {Set<number>} literals */
    hasError(literals) {
      return this.errors.some((literal) => literals.has(literal));
    }

    /**
     * Patterns to try: own ones in their order, then what is only looked for.
     * @param {Iterable<number>} literals
     * @returns {Job[]}
     */
    jobsOf(literals) {
      /** @type {Set<number>} */
      const own = new Set();
      /** @type {Set<string>} */
      const around = new Set();
      for (const literal of literals) {
        for (const job of this.jobs[literal]) {
          if (typeof job === "number") own.add(job);
          else around.add(job);
        }
      }
      return [...[...own].sort((a, b) => a - b), ...around];
    }

    /**
     * @param {string} source
     * @param {number | null} rank
     * @returns {Scan} to be given the log's chunks
     */
    start(source, rank = null) {
      return new Scan(this, source, rank);
    }
  }

  return { Scanner };
});
