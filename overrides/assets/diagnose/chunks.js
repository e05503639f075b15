// Bytes of a log as chunks of whole lines, without colour codes.
fixbook.define("chunks", function (use) {
  "use strict";
  const { chunk: CHUNK, overlap: OVERLAP } = use("constants").limits;

  const ESC = 0x1b;
  const FEED = 10;
  /** @type {Record<number, number>} the last byte of a curly quote, and the straight one for it */
  const STRAIGHT = { 0x98: 0x27, 0x99: 0x27, 0x9c: 0x22, 0x9d: 0x22 };

  /** Cuts parts of any size into chunks that end at a line feed. */
  class WholeLines {
    constructor() {
      /** @type {Uint8Array} */
      this.rest = new Uint8Array(0);
    }

    /**
     * @param {Uint8Array} part
     * @returns {Uint8Array[]} chunks that are complete
     */
    push(part) {
      const data = joined(this.rest, part);
      const cut = data.lastIndexOf(FEED) + 1;
      this.rest = data.subarray(cut);
      const found = cut ? [data.subarray(0, cut)] : [];
      if (this.rest.length > 2 * CHUNK) {
        found.push(this.rest); // one endless line
        this.rest = this.rest.slice(-OVERLAP);
      }
      return found;
    }

    /** @returns {Uint8Array[]} what is left */
    end() {
      return this.rest.length ? [this.rest] : [];
    }
  }

  /**
   * @param {Uint8Array} first
   * @param {Uint8Array} second
   */
  function joined(first, second) {
    if (!first.length) return second;
    const all = new Uint8Array(first.length + second.length);
    all.set(first);
    all.set(second, first.length);
    return all;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} to
   * @returns {number} line feeds in between
   */
  function feeds(bytes, from, to) {
    let count = 0;
    for (let at = from; at < to; at++) if (bytes[at] === FEED) count += 1;
    return count;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   * @returns {number} where the escape sequence at `at` ends, or `at` if there is none
   */
  function escapeEnd(bytes, at) {
    const kind = bytes[at + 1];
    if (kind === 0x5b) return controlEnd(bytes, at);
    if (kind === 0x5d) return commandEnd(bytes, at);
    return (kind >= 0x40 && kind <= 0x5a) || (kind >= 0x5c && kind <= 0x5f) ? at + 2 : at;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} at of a control sequence such as a colour, `ESC [ … m`
   */
  function controlEnd(bytes, at) {
    let end = at + 2;
    while (bytes[end] >= 0x30 && bytes[end] <= 0x3f) end += 1;
    while (bytes[end] >= 0x20 && bytes[end] <= 0x2f) end += 1;
    return bytes[end] >= 0x40 && bytes[end] <= 0x7e ? end + 1 : at;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} at of a command to the terminal such as a title, `ESC ] … BEL` or `ESC ] … ESC \`
   */
  function commandEnd(bytes, at) {
    let end = at + 2;
    while (end < bytes.length && bytes[end] !== 7 && bytes[end] !== ESC && bytes[end] !== FEED) end += 1;
    if (bytes[end] === 7) return end + 1;
    return bytes[end] === ESC && bytes[end + 1] === 0x5c ? end + 2 : at + 2;
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array} without escape sequences
   */
  function withoutEscapes(bytes) {
    let at = bytes.indexOf(ESC);
    if (at < 0) return bytes;
    const kept = new Uint8Array(bytes.length);
    let size = 0;
    let from = 0;
    while (at >= 0) {
      const end = escapeEnd(bytes, at);
      if (end > at) {
        kept.set(bytes.subarray(from, at), size);
        size += at - from;
        from = end;
      }
      at = bytes.indexOf(ESC, Math.max(end, at + 1));
    }
    kept.set(bytes.subarray(from), size);
    return kept.subarray(0, size + bytes.length - from);
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array} with a plain blank for each that does not break a line
   */
  function withPlainBlanks(bytes) {
    let at = bytes.indexOf(0xc2);
    while (at >= 0 && bytes[at + 1] !== 0xa0) at = bytes.indexOf(0xc2, at + 1);
    if (at < 0) return bytes;
    const kept = new Uint8Array(bytes.length);
    let size = 0;
    let from = 0;
    for (; at >= 0; at = bytes.indexOf(0xc2, at + 1)) {
      if (bytes[at + 1] !== 0xa0) continue;
      kept.set(bytes.subarray(from, at), size);
      size += at - from;
      kept[size++] = 0x20;
      from = at + 2;
    }
    kept.set(bytes.subarray(from), size);
    return kept.subarray(0, size + bytes.length - from);
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array} with straight quotes for curly ones
   */
  function withStraightQuotes(bytes) {
    if (bytes.indexOf(0xe2) < 0) return bytes;
    const kept = new Uint8Array(bytes.length);
    let size = 0;
    for (let at = 0; at < bytes.length; at++) {
      const quote = bytes[at] === 0xe2 && bytes[at + 1] === 0x80 ? STRAIGHT[bytes[at + 2]] : undefined;
      kept[size++] = quote || bytes[at];
      if (quote) at += 2;
    }
    return kept.subarray(0, size);
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array} without what hides literals
   */
  function plainBytes(bytes) {
    return withStraightQuotes(withPlainBlanks(withoutEscapes(bytes)));
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {Uint8Array} with small letters for capital ones
   */
  function lowered(bytes) {
    return bytes.map((byte) => (byte > 0x40 && byte < 0x5b ? byte | 0x20 : byte));
  }

  return { WholeLines, feeds, lowered, plainBytes };
});
