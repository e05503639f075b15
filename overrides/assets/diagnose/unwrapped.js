// Lines put together again that a terminal, a chat, a mail, or a box of Rich has broken.
fixbook.define("unwrapped", function (use) {
  "use strict";
  const { length, slice, strip } = use("text");
  const { limits, patterns, usualWidths } = use("constants");

  const [FRAME, QUOTED, BOXED, LOGGED] = [
    patterns.tracebackFrame, patterns.quotation, patterns.boxed, patterns.logged,
  ].map((pattern) => new RegExp("^(?:" + pattern + ")", "u"));
  const CELLS = new RegExp(patterns.cells, "u");
  const FILLED = new RegExp(patterns.filled, "u");

  /**
   * A line, or a part of one: where it is from, the characters it has room for (0 where it ends), and whether
   * it is a column's, which is broken between words wherever it can be.
   * @typedef {{at: number, text: string, width: number, cell: boolean}} Line
   * @typedef {{at: number, text: string}} Piece
   */

  /**
   * @param {Piece[]} lines without colours
   * @returns {Piece[]} each line joined with what probably belongs to it, under its own number
   */
  function piecesOf(lines) {
    const joint = [asBroken(lines), ...columns(lines), ...logged(lines)].flatMap((column) => [...joined(column)]);
    return [...joint, ...filled(lines)];
  }

  /**
   * @param {Piece[]} lines
   * @returns {Line[]} without the signs of a quotation
   */
  function asBroken(lines) {
    const bare = lines.map(({ text }) => text.replace(QUOTED, ""));
    const width = widthOf(bare);
    let own = width;
    return lines.map(({ at, text }, here) => {
      if (width > limits.widest && (here === 0 || !strip(bare[here - 1]))) {
        const end = bare.findIndex((one, to) => to >= here && !strip(one));
        own = widthOf(bare.slice(here, end < 0 ? bare.length : end));
      }
      const room = limits.narrowest <= own && own <= limits.widest ? own : 0;
      const usual = usualWidths.includes(length(text));
      return { at, text: bare[here], width: usual ? length(bare[here]) : room, cell: false };
    });
  }

  /** @param {string[]} texts */
  function widthOf(texts) {
    let width = 0;
    for (const text of texts) {
      if (trimmed(text, true, true).includes(" ")) width = Math.max(width, length(trimmed(text, false, true)));
    }
    return width;
  }

  /**
   * The columns of boxes and tables: rows that follow each other, with as many cells.
   * @param {Piece[]} lines
   * @returns {Line[][]}
   */
  function columns(lines) {
    /** @type {Line[][]} */
    const found = [];
    /** @type {{at: number, cells: string[]}[]} */
    let rows = [];
    for (const { at, text } of [...lines, { at: 0, text: "" }]) {
      const boxed = BOXED.exec(text);
      const cells = boxed ? boxed[1].split(CELLS) : [];
      if (rows.length && cells.length !== rows[0].cells.length) {
        for (const column of rows[0].cells.keys()) found.push(rows.map((row) => cellOf(row.at, row.cells[column])));
        rows = [];
      }
      if (cells.length) rows.push({ at, cells });
    }
    return found;
  }

  /**
   * @param {number} at
   * @param {string} cell
   * @returns {Line}
   */
  function cellOf(at, cell) {
    const room = length(cell) - 2; // a blank on either side
    return { at, text: trimmed(cell, true, true), width: room >= limits.leastColumn ? room : 0, cell: true };
  }

  /**
   * The messages that Rich's handler of logging set in a column.
   * @param {Piece[]} lines
   * @returns {Line[][]}
   */
  function logged(lines) {
    /** @type {Line[][]} */
    const found = [];
    lines.forEach(({ at, text }, here) => {
      const { lead, text: said, path } = (LOGGED.exec(text) || {}).groups || {};
      if (lead === undefined) return;
      const start = lead.length; // ASCII, as what stands before it
      const width = length(trimmed(text, false, true)) - path.length - 1 - start;
      const column = [{ at, text: said, width, cell: true }];
      for (const below of lines.slice(here + 1, here + limits.joined)) {
        if (trimmed(slice(below.text, 0, start), true, true)) break;
        if (!trimmed(slice(below.text, start, start + 1), true, true)) break;
        column.push({ at: below.at, text: trimmed(slice(below.text, start, Infinity), false, true), width, cell: true });
      }
      if (width >= limits.leastColumn) found.push(column);
    });
    return found;
  }

  /**
   * @param {Piece[]} lines
   * @returns {Piece[]} each line that holds rows of a terminal, filled up with blanks, joined in both ways
   */
  function filled(lines) {
    return lines.flatMap(({ at, text }) => {
      const rows = trimmed(text, true, true).split(FILLED);
      return rows.length > 1 ? [{ at, text: rows.join("") }, { at, text: rows.join(" ") }] : [];
    });
  }

  /**
   * @param {Line[]} lines
   * @returns {Generator<Piece>}
   */
  function* joined(lines) {
    const full = lines.map((line, at) => isFull(line, at + 1 < lines.length ? lines[at + 1].text : ""));
    for (let start = 0, end; start < lines.length; start = end + 1) {
      for (end = start; full[end] && end < start + limits.joined; ) end += 1;
      // Backwards, so that a match is found first in the line that it begins in.
      for (let here = end; here >= start; here--) {
        for (const text of bothWays(lines, full, here)) yield { at: lines[here].at, text };
      }
    }
  }

  /**
   * @param {Line[]} lines
   * @param {boolean[]} full
   * @param {number} start
   * @returns {string[]} a line with those that go on, as a terminal breaks lines, and as a chat does
   */
  function bothWays(lines, full, start) {
    let hard = lines[start].text;
    let soft = hard;
    for (let at = start; at < start + limits.joined && full[at]; at++) {
      const { text, width, cell } = lines[at];
      const next = lines[at + 1].text;
      const whole = length(text) >= width && !(cell && text.includes(" "));
      hard = whole ? hard + next : withOneBlank(hard, next);
      soft = withOneBlank(soft, next);
    }
    return soft === hard ? [hard] : [hard, soft];
  }

  /**
   * @param {string} text
   * @param {string} rest
   * @returns {string} both: some leave the blank before a break between words, some indent
   */
  function withOneBlank(text, rest) {
    return `${trimmed(text, false, true)} ${trimmed(rest, true, false)}`;
  }

  /**
   * @param {Line} line
   * @param {string} following
   * @returns {boolean} true if this one is full, or the first word of the next had no room
   */
  function isFull({ text, width }, following) {
    const [word] = trimmed(following, true, false).split(" ", 1);
    const size = length(trimmed(text, false, true));
    if (!word.length || !size || !width) return false;
    // Below a frame its source line stands, indented, however wide the frame is.
    if (FRAME.test(text) && !(usualWidths.includes(length(text)) && following[0] !== " ")) return false;
    return size + 1 + length(word) > width;
  }

  /**
   * @param {string} text
   * @param {boolean} left
   * @param {boolean} right
   * @returns {string} without blanks at the sides named
   */
  function trimmed(text, left, right) {
    let from = 0;
    let to = text.length;
    while (left && from < to && text[from] === " ") from += 1;
    while (right && to > from && text[to - 1] === " ") to -= 1;
    return text.slice(from, to);
  }

  return { piecesOf };
});
