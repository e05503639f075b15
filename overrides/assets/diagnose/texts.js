// The book's own texts for the page, loaded when somebody is about to ask. Each file holds those of all
// entries: what is loaded must not tell what was recognised.
fixbook.define("texts", function (use) {
  "use strict";
  const { lang } = use("constants");

  class Texts {
    /** @param {string} here folder of these scripts */
    constructor(here) {
      this.root = new URL("../../", here).href;
      /** @type {Map<string, Promise<void>>} */
      this.loaded = new Map();
    }

    /** @param {string} name */
    load(name) {
      const loading = this.loaded.get(name) || fixbook.load(`${this.root}search/${name}.js`);
      this.loaded.set(name, loading);
      return loading;
    }

    /** @returns {Promise<Site>} */
    async site() {
      await this.load("advice");
      const { advice, titles } = /** @type {AdviceData} */ (fixbook.data.advice);
      return { lang, root: this.root, advice, titles };
    }

    /** @returns {Promise<Record<string, AdviceRow>>} the advice of entries, by slug */
    async fixes() {
      await this.load("fixes");
      return fixbook.data.fixes || {};
    }
  }

  return { Texts };
});
