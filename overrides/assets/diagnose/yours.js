// Speak of the reader's values: what the log names stands in texts and code, or a named blank. A value
// of a log goes there only if it is a plain name or number, in code and in HTML.
fixbook.define("yours", function (use) {
  "use strict";
  const { escape } = use("text");
  const { patterns, yours } = use("constants");
  const PLACE = new RegExp(patterns.place, "gu");
  const [NAME, NUMBER] = [patterns.yourName, patterns.yourNumber].map((pattern) => new RegExp("^(?:" + pattern + ")$", "u"));

  /**
   * @param {string} text what holds places
   * @param {Record<string, string>} captures
   * @param {Record<string, string>} blanks what stands where a value is not known, by name
   * @returns {string}
   */
  function filled(text, captures, blanks) {
    return text.replace(PLACE, (_, kind, name) => {
      const found = Object.hasOwn(captures, name) ? captures[name] : "";
      if ((kind === "number" ? NUMBER : NAME).test(found)) return found;
      return yours.replace("{}", () => (Object.hasOwn(blanks, name) ? blanks[name] : "…"));
    });
  }

  /**
   * The same in HTML of the book.
   * @param {string} html
   * @param {Record<string, string>} captures
   * @param {Record<string, string>} blanks
   */
  function filledHtml(html, captures, blanks) {
    return filled(html, captures, Object.fromEntries(Object.entries(blanks).map(([name, text]) => [name, escape(text)])));
  }

  return { filled, filledHtml };
});
