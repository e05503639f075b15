// Scan one log for everything that diagnosis needs, in one pass and bounded memory.
fixbook.define("scan", function (use) {
  "use strict";
  const { cleanLine, partsOf, windows } = use("normalise");
  const { filled } = use("index");
  const { feeds, plainBytes } = use("chunks");
  const { linesBefore } = use("context");
  const { inChat, inData, isCode, isTriedAgain } = use("quoted");
  const { raisedAt, raises } = use("source_lines");
  const { linesWithHits, neighbours, rankAbout } = use("lines");
  const { moment } = use("times");
  const { limits, patterns } = use("constants");

  const [ERROR, FIRST_ERROR] = [patterns.error, patterns.firstError].map((pattern) => new RegExp(pattern, "u"));
  const FEED = 10;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** Scans the chunks of one log. */
  class Scan {
    /**
     * @param {Scanner} scanner that it was started by
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
      this.head = new Uint8Array(0); // the beginning of the log
      /** The end of the log, and how many lines stand before it. */
      this.tail = new Uint8Array(0);
      this.before = 0;
      this.open = false; // the last line so far has no line feed
      this.first = false; // an error of a compiler is listed
      /** @type {Set<string>} matchers with the rank they were met on */
      this.met = new Set();
      /** @type {Map<string, number>} how often an error was met on a rank */
      this.said = new Map();
      /** @type {Set<number>} lines that hold an error and are quoted in a chat */
      this.quoted = new Set();
      /** @type {Map<number, number>} the last line of each matcher that was met; of errors under -1 */
      this.last = new Map();
    }

    /** @param {Uint8Array} raw a chunk that ends at a line feed */
    add(raw) {
      const chunk = plainBytes(raw);
      let position = 0;
      let number = 0;
      for (const { start, end, literals } of linesWithHits(chunk, this.scanner.places(chunk))) {
        number += feeds(chunk, position, start);
        position = start;
        const jobs = this.scanner.jobsOf(literals);
        const text = decoder.decode(chunk.subarray(start, end));
        const error = this.scanner.hasError(literals);
        this.look(text, jobs, { number: this.lines + number + 1, chunk, start, end, error });
      }
      this.lines += number + feeds(chunk, position, chunk.length);
      this.keep(chunk);
      this.open = raw.length > 0 && raw[raw.length - 1] !== FEED;
    }

    /** @param {Uint8Array} chunk the end of what was read */
    keep(chunk) {
      if (!this.head.length) this.head = chunk.slice(0, limits.context);
      const kept = chunk.length < limits.tail ? this.tail.subarray(-(limits.tail - chunk.length)) : this.tail.subarray(0, 0);
      const tail = new Uint8Array(Math.min(limits.tail, kept.length + chunk.length));
      tail.set(kept);
      tail.set(chunk.subarray(-tail.length), kept.length);
      this.tail = tail;
    }

    /** To be called after the last chunk. */
    end() {
      this.before = this.lines - feeds(this.tail, 0, this.tail.length);
      this.lines += Number(this.open);
    }

    /**
     * Match one raw line, part by part, and keep what was found.
     * @param {string} raw
     * @param {Job[]} jobs
     * @param {Place} place
     */
    look(raw, jobs, place) {
      for (const part of partsOf(raw)) {
        const cleaned = cleanLine(part);
        const rank = cleaned.rank ?? rankAbout(cleaned.text, place) ?? this.rank;
        for (const text of windows(cleaned.text)) {
          const line = { number: place.number, text, rank };
          const matches = this.match(text, jobs);
          const error = place.error && !matches.length && this.isError(text);
          if ((error || matches.length) && inChat(place.chunk, place.start)) {
            this.quoted.add(place.number);
            continue;
          }
          if (matches.length) this.keepHits(line, matches, place);
          if (error && this.isNew(line)) this.errors.push(this.hit(-1, line, {}, place));
        }
      }
    }

    /**
     * Keep what matched a line; of a source line it stands for the exception that it raised.
     * @param {LogLine} line
     * @param {[number, Record<string, string>][]} matches
     * @param {Place} place
     */
    keepHits(line, matches, place) {
      const raised = raisedAt(line, place, this.rank);
      if (raised === null) return;
      const stands = raised || { line, place };
      const code = raised !== undefined || raises(line.text);
      for (const [matcher, captures] of matches) {
        this.last.set(matcher, stands.line.number);
        const key = [matcher, line.rank, code || isCode(line.text)].join("/");
        if (this.met.has(key)) continue;
        this.met.add(key);
        if (this.hits.length < limits.hits) {
          this.hits.push({ ...this.hit(matcher, stands.line, captures, stands.place), code });
        }
      }
    }

    /**
     * @param {string} text
     * @returns {boolean} true for an error that may be listed; of compilers' the first of a log
     */
    isError(text) {
      return ERROR.test(text) || (!this.first && FIRST_ERROR.test(text));
    }

    /**
     * @param {LogLine} line that is an error
     * @returns {boolean} true if it is to be listed, twice for a rank at most
     */
    isNew({ text, rank, number }) {
      const key = rank + "/" + text;
      const said = this.said.get(key) || 0;
      this.last.set(-1, number);
      if (said >= limits.same || this.errors.length >= limits.errors) return false;
      this.first = this.first || !ERROR.test(text);
      this.said.set(key, said + 1);
      return true;
    }

    /**
     * @param {string} text
     * @param {Job[]} jobs
     * @returns {[number, Record<string, string>][]} matchers that matched, with their captures
     */
    match(text, jobs) {
      const { matchers } = this.scanner.index;
      const again = isTriedAgain(text);
      /** @type {[number, Record<string, string>][]} */
      const matches = [];
      for (const job of jobs) {
        const pattern = typeof job === "number" ? matchers[job].pattern : job;
        const match = this.scanner.index.regex(pattern, this.scanner.folded).exec(text);
        if (!match || inData(text, match.index)) continue;
        if (typeof job !== "number") this.found.add(job);
        else if (!again || !matchers[job].echo) matches.push([job, filled(match.groups)]);
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
      const kept = matcher < 0 || ERROR.test(line.text);
      const context = { before: kept ? linesBefore(this.tail, chunk, start) : "", rank: this.rank };
      const at = moment(chunk, start, end);
      return { matcher, line, captures, moment: at, source: this.source, context, around, code: false };
    }
  }

  return { Scan };
});
