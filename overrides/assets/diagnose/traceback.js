// Read Python tracebacks out of the lines that one rank printed.
fixbook.define("traceback", function (use) {
  "use strict";
  const { strip, slice, length } = use("text");
  const { cleanLine, partsOf } = use("normalise");
  const { limits, patterns } = use("constants");

  const [HEAD, LINK, ERROR, WORDS] = [patterns.head, patterns.link, patterns.error, patterns.words].map(
    (pattern) => new RegExp(pattern, "u"));
  const [IGNORED, FRAME, MARKS, HEADING] = [
    patterns.ignored, patterns.tracebackFrame, patterns.marks, patterns.heading,
  ].map(
    (pattern) => new RegExp("^(?:" + pattern + ")", "u"));

  /**
   * @param {Context} context
   * @param {LogLine} line
   * @returns {LogLine[]} the lines before one that are of its rank, cleaned
   */
  function linesOfRank(context, line) {
    const raw = context.before.split("\n").slice(0, -1);
    return raw.flatMap((text, at) =>
      partsOf(text).map(cleanLine)
        .filter((one) => (one.rank === null ? context.rank : one.rank) === line.rank && strip(one.text))
        .map((one) => ({ number: line.number - raw.length + at, text: one.text, rank: line.rank })));
  }

  /** Takes the lines of one rank, one after another. */
  class Reader {
    /** @param {string} own the line that is an error, whatever it looks like */
    constructor(own) {
      this.own = own;
      /** @type {Traceback[]} */
      this.found = [];
      /** @type {Traceback | null} */
      this.current = null;
      /** @type {LogLine | null} */
      this.last = null;
      this.above = "";
      this.linked = false;
      this.ignored = false;
    }

    /** @param {LogLine} line */
    add(line) {
      const head = HEAD.exec(line.text);
      const frame = head ? null : FRAME.exec(line.text);
      const error = !head && !frame && (line.text === this.own || ends(line.text));
      if (head || (!this.current && (frame || error))) this.begin(line, head);
      this.above = line.text;
      if (head) return;
      if (frame && this.current) this.current.frames.push(frameOf(frame));
      else if (error && this.current) {
        this.current.error = line;
        this.current = null;
      } else this.between(line);
    }

    /**
     * @param {LogLine} line
     * @param {RegExpExecArray | null} head
     */
    begin(line, head) {
      const { linked, ignored } = this;
      const inner = Boolean(head && head.groups && head.groups.inner);
      const opened = head ? line.text : this.above;
      this.current = { frames: [], error: null, before: until(line, head, this.last), linked, inner, opened, ignored };
      this.found.push(this.current);
      this.linked = this.ignored = false;
    }

    /** @param {LogLine} line that is neither heading, frame nor exception */
    between(line) {
      if (LINK.test(line.text)) this.linked = true;
      else if (IGNORED.test(line.text)) this.ignored = true;
      else if (this.current && this.current.frames.length) addCode(this.current, line.text);
      else if (WORDS.test(line.text)) this.last = line;
    }
  }

  /**
   * Whether a line is the last of a traceback; the text of some errors follows their name.
   * @param {string} text
   */
  function ends(text) {
    return ERROR.test(text) && !HEADING.test(text);
  }

  /**
   * @param {LogLine[]} lines of one rank, the last of which is an error
   * @returns {Traceback[]} in the order of the log
   */
  function tracebacksOf(lines) {
    const reader = new Reader(lines[lines.length - 1].text);
    lines.forEach((line) => reader.add(line));
    return reader.found;
  }

  /**
   * What was printed before: a progress bar may stand in the line of the heading.
   * @param {LogLine} line
   * @param {RegExpExecArray | null} head
   * @param {LogLine | null} last
   */
  function until(line, head, last) {
    const text = head ? strip(line.text.slice(0, head.index)) : "";
    return length(text) > limits.name ? { ...line, text } : last;
  }

  /**
   * @param {RegExpExecArray} found
   * @returns {Frame}
   */
  function frameOf(found) {
    const groups = /** @type {Record<string, string | undefined>} */ (found.groups || {});
    return {
      file: groups.file || groups.path || groups.cell || "",
      line: Number(groups.line || groups.at || groups.cell_line),
      function: strip(groups.function || groups.name || ""),
      code: "",
    };
  }

  /**
   * The first line after a frame is its source.
   * @param {Traceback} traceback
   * @param {string} text
   */
  function addCode({ frames }, text) {
    const last = frames[frames.length - 1];
    if (!last.code && !MARKS.test(text)) last.code = slice(strip(text), 0, limits.code);
  }

  return { linesOfRank, tracebacksOf };
});
