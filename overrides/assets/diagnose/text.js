// Strings as the specification counts and trims them: by code point, and with Python's white space.
fixbook.define("text", function () {
  "use strict";

  const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
  const ENDS = new RegExp("^" + SPACE + "+|" + SPACE + "+$", "g");
  const SPACES = new RegExp(SPACE + "+");
  const ASTRAL = /[\ud800-\udbff]/;

  /**
   * @param {string} text
   * @returns {string} without white space at its ends
   */
  function strip(text) {
    return text.replace(ENDS, "");
  }

  /**
   * @param {string} text without white space at its ends
   * @returns {string[]} its words
   */
  function split(text) {
    return text.split(SPACES);
  }

  /**
   * @param {string} text
   * @param {number} start in code points
   * @param {number} end in code points
   * @returns {string}
   */
  function slice(text, start, end) {
    if (!ASTRAL.test(text)) return text.slice(start, end);
    return Array.from(text).slice(start, end).join("");
  }

  /**
   * @param {string} text
   * @returns {number} its code points
   */
  function length(text) {
    if (!ASTRAL.test(text)) return text.length;
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  }

  /**
   * @param {string} text
   * @returns {string} safe inside an element and an attribute
   */
  function escape(text) {
    return text
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;")
      .replace(/'/g, "&#39;");
  }

  return { strip, split, slice, length, escape };
});
