// A second look at logs in which nothing was recognised: lines joined that a terminal or a chat
// broke at its width, and capital letters taken for small ones. Only the ends of logs are read.
fixbook.define("second", function (use) {
  "use strict";
  const { plain } = use("disguise");
  const { cleanLine, partsOf } = use("normalise");
  const { raisedAt } = use("source_lines");
  const { Scanner } = use("scanner");
  const { linesBefore } = use("context");
  const { linesAround } = use("lines");
  const { piecesOf } = use("unwrapped");
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
    const pieces = piecesOf(raw.flatMap((line, at) => partsOf(line).map((part) => ({ at, text: plain(part) }))));
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
    /** @param {Hit} hit */
    const isCode = function ({ line: { number } }) {
      const at = number - before - 1;
      const end = at + 1 < starts.length ? starts[at + 1] - 1 : tail.length;
      const { text, rank } = cleanLine(decoder.decode(tail.subarray(starts[at], end)));
      const place = { number, chunk: tail, start: starts[at], end, error: false };
      return raisedAt({ number, text, rank: rank ?? scan.rank }, place, scan.rank) !== undefined;
    };
    found.hits = found.hits.map(placed).filter((hit) => !scan.quoted.has(hit.line.number) && !isCode(hit));
    const known = new Set([...found.hits.map(({ line }) => line.number), ...scan.quoted]);
    // Of the two ways to join a line, what one finds speaks for both.
    for (const error of found.errors.splice(0).map(placed)) {
      if (!known.has(error.line.number)) found.errors.push(error);
      known.add(error.line.number);
    }
    for (const [job, number] of found.last) found.last.set(job, before + pieces[number - 1].at + 1);
    found.lines = scan.lines;
    found.before = scan.before;
    found.head = scan.head;
    found.tail = scan.tail;
    found.quoted = scan.quoted;
    return found;
  }

  return { secondScans };
});
