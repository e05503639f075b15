// Scan one log for everything that diagnosis needs, in one pass and bounded memory.
fixbook.define("scan", function (use) {
  "use strict";
  const { Prefilter } = use("prefilter");
  const { cleanLine, windows } = use("normalise");
  const { feeds, withoutEscapes } = use("chunks");
  const { moment } = use("times");
  const { limits, patterns, errorLiterals } = use("constants");

  const ERROR = new RegExp(patterns.error, "u");
  const AROUND = 4; // lines shown before and after the one that decides
  const WIDE = 2000; // bytes of a neighbour that are shown
  const FEED = 10;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * A matcher by its number, or a pattern that is only looked for.
   * @typedef {number | string} Job
   * @typedef {{number: number, chunk: Uint8Array, start: number, end: number}} Place where a line stands
   */

  /** Scans the chunks of one log. */
  class Scan {
    /**
     * @param {Scanner} scanner
     * @param {string} source name of the log
     * @param {number | null} rank the rank that its name tells; used where a line names none
     */
    constructor(scanner, source, rank) {
      this.scanner = scanner;
      this.source = source;
      this.rank = rank;
      /** @type {Hit[]} */
      this.hits = [];
      /** @type {Set<string>} */
      this.found = new Set();
      /** @type {Hit[]} */
      this.errors = [];
      this.lines = 0;
      /** @type {Set<string>} matchers with the rank they were seen on */
      this.seen = new Set();
    }

    /** @param {Uint8Array} raw a chunk that ends at a line feed */
    add(raw) {
      const chunk = withoutEscapes(raw);
      let position = 0;
      let number = 0;
      for (const { start, end, literals } of linesWithHits(chunk, this.scanner.prefilter.find(chunk))) {
        number += feeds(chunk, position, start);
        position = start;
        const jobs = this.scanner.jobsOf(literals);
        const text = decoder.decode(chunk.subarray(start, end));
        this.look(text, jobs, { number: this.lines + number + 1, chunk, start, end });
      }
      this.lines += number + feeds(chunk, position, chunk.length);
    }

    /**
     * Match one raw line, part by part, and keep what was found.
     * @param {string} raw
     * @param {Job[]} jobs
     * @param {Place} place
     */
    look(raw, jobs, place) {
      let size = raw.length;
      while (raw[size - 1] === "\r") size -= 1;
      for (const part of raw.slice(0, size).split("\r")) {
        const cleaned = cleanLine(part);
        const rank = cleaned.rank === null ? this.rank : cleaned.rank;
        for (const text of windows(cleaned.text)) {
          const line = { number: place.number, text, rank };
          const matches = this.match(text, jobs);
          for (const [matcher, captures] of matches) {
            const key = matcher + "/" + rank;
            if (this.seen.has(key)) continue;
            this.seen.add(key);
            if (this.hits.length < limits.hits) this.hits.push(this.hit(matcher, line, captures, place));
          }
          if (!matches.length && this.errors.length < limits.errors && ERROR.test(text)) {
            this.errors.push(this.hit(-1, line, {}, place));
          }
        }
      }
    }

    /**
     * @param {string} text
     * @param {Job[]} jobs
     * @returns {[number, Record<string, string>][]} matchers that matched, with their captures
     */
    match(text, jobs) {
      const { matchers } = this.scanner.index;
      /** @type {[number, Record<string, string>][]} */
      const matches = [];
      for (const job of jobs) {
        const pattern = typeof job === "number" ? matchers[job].pattern : job;
        const match = this.scanner.index.regex(pattern).exec(text);
        if (!match) continue;
        if (typeof job === "number") matches.push([job, filled(match.groups)]);
        else this.found.add(job);
      }
      return matches;
    }

    /**
     * @param {number} matcher
     * @param {LogLine} line
     * @param {Record<string, string>} captures
     * @param {Place} place
     * @returns {Hit}
     */
    hit(matcher, line, captures, place) {
      const { chunk, start, end } = place;
      const around = neighbours(chunk, start, end);
      return { matcher, line, captures, moment: moment(chunk, start, end), source: this.source, around };
    }
  }

  /** Scans logs with one index; it can be used for many logs. */
  class Scanner {
    /** @param {Index} index */
    constructor(index) {
      this.index = index;
      /** @type {Map<string, Job[]>} */
      const byLiteral = new Map();
      /**
       * @param {string[]} literals
       * @param {Job[]} jobs
       */
      const add = function (literals, ...jobs) {
        for (const literal of literals) {
          byLiteral.set(literal, [...(byLiteral.get(literal) || []), ...jobs]);
        }
      };
      index.matchers.forEach((matcher, number) => add(matcher.literals, number));
      for (const [pattern, literals] of Object.entries(index.surroundings)) add(literals, pattern);
      add(errorLiterals);
      this.jobs = [...byLiteral.values()];
      this.prefilter = new Prefilter([...byLiteral.keys()]);
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

  /**
   * Group hits by line: its start and end, and the literals in it.
   * @param {Uint8Array} chunk
   * @param {[number, number][]} hits
   */
  function* linesWithHits(chunk, hits) {
    let end = -1;
    let start = 0;
    /** @type {Set<number>} */
    let literals = new Set();
    for (const [offset, literal] of hits) {
      if (offset > end) {
        if (end >= 0) yield { start, end, literals };
        start = chunk.lastIndexOf(FEED, offset - 1) + 1;
        const found = chunk.indexOf(FEED, offset);
        end = found >= 0 ? found : chunk.length;
        literals = new Set();
      }
      literals.add(literal);
    }
    if (end >= 0) yield { start, end, literals };
  }

  /**
   * @param {Record<string, string> | undefined} groups
   * @returns {Record<string, string>} those that took part
   */
  function filled(groups) {
    return Object.fromEntries(Object.entries(groups || {}).filter(([, value]) => value));
  }

  /**
   * The raw lines around one, for people to read.
   * @param {Uint8Array} chunk
   * @param {number} start
   * @param {number} end
   * @returns {Around}
   */
  function neighbours(chunk, start, end) {
    /** @type {string[]} */
    const before = [];
    /** @type {string[]} */
    const after = [];
    for (let at = start; at > 0 && before.length < AROUND; ) {
      const from = at > 1 ? chunk.lastIndexOf(FEED, at - 2) + 1 : 0;
      before.unshift(shown(chunk, from, at - 1));
      at = from;
    }
    for (let at = end + 1; at < chunk.length && after.length < AROUND; ) {
      const found = chunk.indexOf(FEED, at);
      const to = found < 0 ? chunk.length : found;
      after.push(shown(chunk, at, to));
      at = to + 1;
    }
    return { before, text: shown(chunk, start, end), after };
  }

  /**
   * @param {Uint8Array} chunk
   * @param {number} from
   * @param {number} to
   */
  function shown(chunk, from, to) {
    const text = decoder.decode(chunk.subarray(from, Math.min(to, from + WIDE)));
    return text.replace(/\r+$/, "").split("\r").pop() || "";
  }

  return { Scanner };
});
