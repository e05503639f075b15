// A second look at logs in which nothing was recognised: lines joined that a terminal or a chat
// broke at its width, and capital letters taken for small ones. Only the ends of logs are read.
fixbook.define("second", function (use) {
  "use strict";
  const { length } = use("text");
  const { plain } = use("disguise");
  const { partsOf } = use("normalise");
  const { Scanner } = use("scan");
  const { linesBefore } = use("context");
  const { linesAround } = use("lines");
  const { limits } = use("constants");

  const FEED = 10;
  const NONE = new Uint8Array(0);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** @type {WeakMap<Index, Scanner>} made once: that takes longer than to use it */
  const scanners = new WeakMap();

  /** @param {Index} index */
  function scannerOf(index) {
    const made = scanners.get(index) || new Scanner(index, true);
    scanners.set(index, made);
    return made;
  }

  /**
   * @param {Scan[]} scans the first ones, with their tails
   * @param {Index} index
   * @returns {Scan[]}
   */
  function secondScans(scans, index) {
    const scanner = scannerOf(index);
    const room = Math.floor(limits.room / Math.max(1, scans.length));
    return scans.map((scan) => again(scan, scanner, room));
  }

  /**
   * @param {Scan} scan
   * @param {Scanner} scanner
   * @param {number} room bytes
   * @returns {Scan}
   */
  function again(scan, scanner, room) {
    let { tail, before } = scan;
    if (tail.length > room) {
      const cut = tail.indexOf(FEED, tail.length - room) + 1;
      for (let at = 0; at < cut; at++) if (tail[at] === FEED) before += 1;
      tail = tail.subarray(cut);
    }
    const raw = decoder.decode(tail).split("\n");
    const pieces = piecesOf(raw);
    const found = scanner.start(scan.source, scan.rank);
    found.add(new TextEncoder().encode(pieces.map(({ text }) => text + "\n").join("")));
    const starts = [0];
    tail.forEach((byte, at) => byte === FEED && starts.push(at + 1));
    /** @param {Hit} hit */
    const placed = function (hit) {
      const { at } = pieces[hit.line.number - 1];
      const kept = hit.context.before || hit.matcher < 0;
      const context = kept ? { before: linesBefore(NONE, tail, starts[at]), rank: scan.rank } : hit.context;
      return { ...hit, line: { ...hit.line, number: before + at + 1 }, context, around: linesAround(raw, at) };
    };
    found.hits = found.hits.map(placed).filter(({ line }) => !scan.quoted.has(line.number));
    const known = new Set([...found.hits.map(({ line }) => line.number), ...scan.quoted]);
    // Of the two ways to join a line, what one finds speaks for both.
    for (const error of found.errors.splice(0).map(placed)) {
      if (!known.has(error.line.number)) found.errors.push(error);
      known.add(error.line.number);
    }
    found.lines = scan.lines;
    found.before = scan.before;
    found.head = scan.head;
    found.tail = scan.tail;
    found.quoted = scan.quoted;
    return found;
  }

  /**
   * @param {string[]} raw
   * @returns {{at: number, text: string}[]} each line joined with what probably belongs to it
   */
  function piecesOf(raw) {
    const lines = raw.flatMap((line, at) => partsOf(line).map((part) => ({ at, text: plain(part) })));
    const full = fullOnes(lines.map(({ text }) => text));
    const pieces = [];
    for (let start = 0, end; start < lines.length; start = end + 1) {
      for (end = start; full.lines[end] && end < start + limits.joined; ) end += 1;
      // Backwards, so that a match is found first in the line that it begins in.
      for (let here = end; here >= start; here--) {
        for (const text of joined(lines, full, here)) pieces.push({ at: lines[here].at, text });
      }
    }
    return pieces;
  }

  /**
   * @param {{text: string}[]} lines
   * @param {{width: number, lines: boolean[]}} full
   * @param {number} start
   * @returns {string[]} a line with those that go on, as a terminal breaks lines, and as a chat does
   */
  function joined(lines, full, start) {
    let hard = lines[start].text;
    let soft = hard;
    for (let at = start; at < start + limits.joined && full.lines[at]; at++) {
      const next = lines[at + 1].text;
      hard = length(lines[at].text) >= full.width ? hard + next : withOneBlank(hard, next);
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
   * @param {string[]} texts
   * @returns {{width: number, lines: boolean[]}} which lines go on in the next
   */
  function fullOnes(texts) {
    let width = 0;
    for (const text of texts) {
      if (trimmed(text, true, true).includes(" ")) width = Math.max(width, length(trimmed(text, false, true)));
    }
    const broken = width >= limits.narrowest && width <= limits.widest;
    return { width, lines: texts.map((text, at) => broken && isFull(text, texts[at + 1] || "", width)) };
  }

  /**
   * @param {string} text
   * @param {string} following
   * @param {number} width
   * @returns {boolean} true if this one is full, or the first word of the next had no room
   */
  function isFull(text, following, width) {
    const [word] = trimmed(following, true, false).split(" ", 1);
    const size = length(trimmed(text, false, true));
    return word.length > 0 && size > 0 && (size >= width - 1 || size + 1 + length(word) > width);
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

  return { secondScans };
});
