// Text that something on its way has rewritten: colours, JSON strings, HTML, Markdown, blanks.
fixbook.define("disguise", function (use) {
  "use strict";
  const { length } = use("text");
  const { limits, patterns, disguise } = use("constants");

  const ESCAPES = new RegExp(patterns.escapes, "gu");
  const BOLD = new RegExp(patterns.bold, "gu");
  const COLOURS = new RegExp(patterns.colours, "gu");
  const ENTITY = new RegExp(patterns.entity, "gu");
  const ZERO_WIDTH = new RegExp(patterns.zeroWidth, "gu");
  const FIELD = new RegExp(patterns.field, "gu");
  const FEEDS = new RegExp(patterns.feeds, "u");
  const QUOTED = new RegExp(patterns.quoted, "gu");
  const PLAIN = /^[\x00-\x7f]*$/;
  const NO_SIGN = 0xfffd;

  /**
   * Take colours, special blanks, HTML entities and signs of bold off one line.
   * @param {string} raw
   * @returns {string}
   */
  function plain(raw) {
    let text = raw.includes("\x1b") ? raw.replace(ESCAPES, "") : raw;
    if (text.includes("m") && text.includes("[")) text = text.replace(COLOURS, "");
    if (text.includes("**")) text = text.replace(BOLD, "$1");
    if (text.includes("&")) text = text.replace(ENTITY, (found) => disguise.entities[found]);
    if (!PLAIN.test(text)) {
      text = text.replace(ZERO_WIDTH, "");
      for (const [sign, meant] of Object.entries(disguise.lookalikes)) text = text.replaceAll(sign, meant);
    }
    return text;
  }

  /**
   * @param {string} part of a line
   * @returns {string[]} the lines that JSON strings in it hold, and the line as it is
   */
  function unquoted(part) {
    /** @type {string[]} */
    const lines = [];
    const start = part.indexOf('{"');
    const before = start > 0 && length(part.slice(0, start)) <= limits.beforeObject ? part.slice(0, start) : "";
    FIELD.lastIndex = start;
    for (let field = start < 0 ? null : FIELD.exec(part); field; field = FIELD.exec(part)) {
      const value = part.slice(FIELD.lastIndex, endOfString(part, FIELD.lastIndex));
      lines.push(...filled(meant(value)).map((line) => before + line));
    }
    if (part.includes("\\n") && FEEDS.test(part)) return lines.concat(filled(meant(part)));
    lines.push(part);
    return lines;
  }

  /** @param {string} text */
  function filled(text) {
    return text.split("\n").filter(Boolean);
  }

  /**
   * @param {string} text
   * @param {number} start
   * @returns {number} where the quote that is not itself quoted stands, or the end of a string cut off
   */
  function endOfString(text, start) {
    for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
      let before = at;
      while (before > start && text[before - 1] === "\\") before -= 1;
      if ((at - before) % 2 === 0) return at;
    }
    return text.length;
  }

  /** @param {string} text */
  function meant(text) {
    return text.replace(QUOTED, (_, high, low, code, byte, sign) => {
      if (high) return String.fromCodePoint(0x10000 + ((parseInt(high, 16) & 0x3ff) << 10) + (parseInt(low, 16) & 0x3ff));
      if (!code && !byte) return sign in disguise.signs ? disguise.signs[sign] : sign;
      const number = parseInt(code || byte, 16);
      return String.fromCodePoint(number >= 0xd800 && number <= 0xdfff ? NO_SIGN : number);
    });
  }

  /**
   * @param {string} literal
   * @returns {string[]} itself, and as it is quoted in JSON and HTML
   */
  function disguisesOf(literal) {
    const forms = new Set([literal]);
    for (const pairs of disguise.forms) {
      let form = literal;
      for (const [sign, written] of pairs) form = form.replaceAll(sign, () => written);
      forms.add(form);
    }
    if (!PLAIN.test(literal)) {
      forms.add([...literal].map((sign) => (PLAIN.test(sign) ? sign : byNumber(sign))).join(""));
    }
    return [...forms];
  }

  /** @param {string} sign */
  function byNumber(sign) {
    return "\\u" + (sign.codePointAt(0) || 0).toString(16).padStart(4, "0");
  }

  return { plain, unquoted, disguisesOf };
});
