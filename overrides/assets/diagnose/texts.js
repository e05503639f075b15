// The book's own texts for the page, each file loaded when it is first needed.
fixbook.define("texts", function (use) {
  "use strict";
  const { lang } = use("constants");

  class Texts {
    /** @param {string} here folder of these scripts */
    constructor(here) {
      this.root = new URL("../../", here).href;
      /** @type {Promise<void> | null} */
      this.loading = null;
    }

    /** @returns {Promise<Site>} */
    async site() {
      await (this.loading = this.loading || fixbook.load(this.root + "search/advice.js"));
      const { advice, titles } = /** @type {AdviceData} */ (fixbook.data.advice);
      return { lang, root: this.root, advice, titles };
    }

    /**
     * The advice of one entry, when a log was recognised as it.
     * @param {string} slug
     */
    async fixes(slug) {
      if (!fixbook.data.fixes[slug]) await fixbook.load(`${this.root}search/fixes/${slug}.js`);
      return fixbook.data.fixes[slug];
    }
  }

  return { Texts };
});
