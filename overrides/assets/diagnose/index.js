// The index file of a language, ready for use.
fixbook.define("index", function () {
  "use strict";

  /**
   * @typedef {object} Matcher
   * @property {string} owner slug of the entry, or id of the symptom
   * @property {string} name id of the signature
   * @property {boolean} specific true for an entry's own signature
   * @property {boolean} secondary true for a symptom that only notices a failure
   * @property {boolean} echo true for a symptom that only notices that another process has ended
   * @property {string} pattern
   * @property {string[]} context each must be found somewhere in the log
   * @property {string[]} unless none may be found anywhere in the log
   * @property {string[]} literals every match contains one of these
   */

  /** Patterns are compiled when a line first asks for them. */
  class Index {
    /** @param {object} data what `fixbook.data.index` holds */
    constructor(data) {
      this.data = data;
      /** @type {Matcher[]} */
      this.matchers = data.matchers;
      this.causes = data.causes;
      this.surroundings = data.surroundings;
      this.compiled = new Map();
    }

    /**
     * @param {string} pattern as it stands in the index, in the dialect of JavaScript
     * @returns {RegExp}
     */
    regex(pattern) {
      let found = this.compiled.get(pattern);
      if (!found) {
        found = new RegExp(pattern, "u");
        this.compiled.set(pattern, found);
      }
      return found;
    }
  }

  return { Index };
});
