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

    match(text, jobs) {
      const { matchers } = this.scanner.index;
      const matches = [];
      for (const job of jobs) {
        const own = typeof job === "number";
        const match = this.scanner.index.regex(own ? matchers[job].pattern : job).exec(text);
        if (!match) continue;
        if (own) matches.push([job, filled(match.groups)]);
        else this.found.add(job);
      }
      return matches;
    }

    hit(matcher, line, captures, place) {
      const { chunk, start, end } = place;
      const around = neighbours(chunk, start, end);
      return { matcher, line, captures, moment: moment(chunk, start, end), source: this.source, around };
    }
  }

  /** Scans logs with one index; it can be used for many logs. */
  class Scanner {
    /** @param {import("./index.js").Index} index */
    constructor(index) {
      this.index = index;
      /** @type {Map<string, (number | string)[]>} */
      const byLiteral = new Map();
      const add = function (literals, job) {
        for (const literal of literals) {
          if (!byLiteral.has(literal)) byLiteral.set(literal, []);
          byLiteral.get(literal).push(job);
        }
      };
      index.matchers.forEach((matcher, number) => add(matcher.literals, number));
      for (const [pattern, literals] of Object.entries(index.surroundings)) add(literals, pattern);
      for (const literal of errorLiterals) add([literal], -1);
      this.jobs = [...byLiteral.values()].map((jobs) => jobs.filter((job) => job !== -1));
      this.prefilter = new Prefilter([...byLiteral.keys()]);
    }

    /** Patterns to try: own ones in their order, then what is only looked for. */
    jobsOf(literals) {
      const jobs = new Set();
      for (const literal of literals) for (const job of this.jobs[literal]) jobs.add(job);
      const own = [...jobs].filter((job) => typeof job === "number").sort((a, b) => a - b);
      return [...own, ...[...jobs].filter((job) => typeof job !== "number")];
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

  /** Group hits by line: its start and end, and the literals in it. */
  function* linesWithHits(chunk, hits) {
    let end = -1;
    let start = 0;
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

  function filled(groups) {
    return Object.fromEntries(Object.entries(groups || {}).filter(([, value]) => value));
  }

  /** The raw lines around one, for people to read. */
  function neighbours(chunk, start, end) {
    const before = [];
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

  function shown(chunk, from, to) {
    const text = decoder.decode(chunk.subarray(from, Math.min(to, from + WIDE)));
    return text.replace(/\r+$/, "").split("\r").pop();
  }

  return { Scanner };
});
