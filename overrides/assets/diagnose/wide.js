// Logs in UTF-16 (PowerShell redirects in it) or UTF-32 become UTF-8; others stay as they are.
fixbook.define("wide", function (use) {
  "use strict";
  const { limits } = use("constants");

  // Those of UTF-32 first: one of them begins as one of UTF-16.
  /** @type {[string, number[]][]} */
  const MARKS = [
    ["utf-32le", [0xff, 0xfe, 0, 0]], ["utf-32be", [0, 0, 0xfe, 0xff]], ["utf-16le", [0xff, 0xfe]], ["utf-16be", [0xfe, 0xff]],
  ];
  // Which of four bytes are zero where a text is mostly ASCII.
  /** @type {[string, boolean[]][]} */
  const ZEROS = [
    ["utf-16le", [false, true, false, true]], ["utf-16be", [true, false, true, false]],
    ["utf-32le", [false, true, true, true]], ["utf-32be", [true, true, true, false]],
  ];
  const LAST = 0x10ffff;

  /** No browser reads UTF-32. */
  class Utf32 {
    /** @param {boolean} little whether the lowest byte of a character comes first */
    constructor(little) {
      this.little = little;
      this.rest = new Uint8Array(0);
    }

    /**
     * @param {Uint8Array} part
     * @returns {string} its characters; what is none is U+FFFD
     */
    decode(part) {
      const bytes = new Uint8Array(this.rest.length + part.length);
      bytes.set(this.rest);
      bytes.set(part, this.rest.length);
      const whole = bytes.length - (bytes.length % 4);
      this.rest = bytes.slice(whole);
      const view = new DataView(bytes.buffer, 0, whole);
      const signs = [];
      for (let at = 0; at < whole; at += 4) {
        const code = view.getUint32(at, this.little);
        signs.push(code > LAST || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code));
      }
      return signs.join("");
    }
  }

  /**
   * Tell a wide encoding by its byte order mark; without one, by the zeros of what is mostly ASCII.
   * @param {Uint8Array} part
   * @returns {{name: string, mark: number}} the encoding, or nothing, and the bytes of its mark
   */
  function encodingOf(part) {
    for (const [name, mark] of MARKS) {
      if (mark.every((byte, at) => part[at] === byte)) return { name, mark: mark.length };
    }
    const head = part.subarray(0, limits.wideMost);
    if (head.length < limits.wideFewest) return { name: "", mark: 0 };
    const shares = [0, 1, 2, 3].map(function (side) {
      const own = head.filter((_, at) => at % 4 === side);
      return (100 * own.filter((byte) => byte === 0).length) / own.length;
    });
    for (const [name, zeros] of ZEROS) {
      const fits = shares.every((share, at) => (zeros[at] ? share > limits.wideMostly : share < limits.wideHardly));
      if (fits) return { name, mark: 0 };
    }
    return { name: "", mark: 0 };
  }

  /**
   * @param {AsyncIterable<Uint8Array>} parts
   */
  async function* decoded(parts) {
    /** @type {((part: Uint8Array) => string) | null} */
    let decode = null;
    let first = true;
    const encoder = new TextEncoder();
    for await (let part of parts) {
      if (first) {
        const { name, mark } = encodingOf(part);
        decode = name ? decoderOf(name) : null;
        part = part.subarray(mark);
        first = false;
      }
      yield decode ? encoder.encode(decode(part)) : part;
    }
  }

  /**
   * @param {string} name
   * @returns {(part: Uint8Array) => string}
   */
  function decoderOf(name) {
    if (name.startsWith("utf-32")) {
      const own = new Utf32(name.endsWith("le"));
      return (part) => own.decode(part);
    }
    const decoder = new TextDecoder(name, { ignoreBOM: true });
    return (part) => decoder.decode(part, { stream: true });
  }

  return { decoded };
});
