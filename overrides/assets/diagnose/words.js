// The words of the page, from the constants of its language.
fixbook.define("words", function (use) {
  "use strict";
  const { words, lang } = use("constants");

  /**
   * @param {string} text with `{names}` in it
   * @param {Record<string, string | number>} values
   * @returns {string}
   */
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }

  /**
   * @param {string} key of a text that comes in two forms
   * @param {number} count
   * @returns {string} the form that fits the number
   */
  function counted(key, count) {
    return fill(words[key + (count === 1 ? "_one" : "_other")], { count: count.toLocaleString(lang) });
  }

  /**
   * @param {{source: string, line: number, rank: number | null}} place
   * @returns {string}
   */
  function where({ source, line, rank }) {
    const parts = [source, fill(words.line, { line }), rank === null ? "" : fill(words.rank, { rank })];
    return parts.filter(Boolean).join(words.comma);
  }

  /**
   * @param {string[]} names
   * @returns {string} that the book has nothing on them; empty without any
   */
  function lacking(names) {
    const quoted = names.map((name) => fill(words.quoted, { name }));
    return names.length ? fill(words.lacking, { names: quoted.join(words.comma) }) : "";
  }

  return { words, fill, counted, where, lacking };
});
