// The index file of a language, ready for use.
fixbook.define("index", function () {
  "use strict";

  /** Patterns are compiled when a line first asks for them. */
  class Index {
    /** @param {IndexData} data what `fixbook.data.index` holds */
    constructor(data) {
      this.data = data;
      this.matchers = data.matchers;
      this.causes = data.causes;
      this.surroundings = data.surroundings;
      /** @type {Map<string, RegExp>} */
      this.compiled = new Map();
    }

    /**
     * @param {string} pattern as it stands in the index, in the dialect of JavaScript
     * @param {boolean} folded true to take capital and small letters for the same
     * @returns {RegExp}
     */
    regex(pattern, folded = false) {
      const key = (folded ? "i" : "") + "/" + pattern;
      let found = this.compiled.get(key);
      if (!found) {
        found = new RegExp(pattern, folded ? "iu" : "u");
        this.compiled.set(key, found);
      }
      return found;
    }
  }

  /**
   * @param {Record<string, string> | undefined} groups
   * @returns {Record<string, string>} those that took part
   */
  function filled(groups) {
    return Object.fromEntries(Object.entries(groups || {}).filter(([, value]) => value));
  }

  return { Index, filled };
});
