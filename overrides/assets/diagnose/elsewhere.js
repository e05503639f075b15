// What the book has nothing on: the names of it in a query, and where to search instead.
fixbook.define("elsewhere", function (use) {
  "use strict";
  const { redact } = use("redact");
  const { stemOf, telling, isBare, cardsIn } = use("tokens");
  const { libraries, limits, patterns, search, issueSearch } = use("constants");

  const WORD = new RegExp(patterns.word, "gu");
  const ONE_WORD = new RegExp("^(?:" + patterns.word + ")$", "u");
  const NAME = new RegExp(patterns.productName, "u");
  const QUANTITY = new RegExp("^(?:" + patterns.quantity + ")$", "u");
  const EVERY_HAN = /[\u3400-\u9fff]/g;
  const HAN = /^[\u3400-\u9fff]/;
  const HAN_STOP = new RegExp(patterns.hanStop, "u");
  const STOP = new Set(search.stop);

  class Elsewhere {
    /** @param {string[]} names in lower case */
    constructor(names) {
      this.names = new Set(names.map(stemOf));
      this.phrases = names.filter((name) => !ONE_WORD.test(name) || HAN.test(name)).sort();
    }

    /**
     * @param {string} query
     * @returns {string[]} the names in it
     */
    in(query) {
      const typed = (query.match(WORD) || []).filter((word) => this.names.has(stemOf(word.toLowerCase())));
      const more = this.phrases.filter((name) => query.toLowerCase().includes(name));
      const cards = isBare(query) ? cardsIn(query) : [];
      return [...new Set([...typed, ...more, ...cards])];
    }

    /**
     * @param {string} query
     * @param {{has(token: string): boolean}} known tokens
     * @returns {string[]} the names in it that no document holds
     */
    strange(query, known) {
      const chinese = (query.match(EVERY_HAN) || []).length >= search.leastHan;
      return [...new Set(query.match(WORD) || [])].filter(
        (word) => (chinese || NAME.test(word)) && word.length >= search.leastName
          && !(HAN.test(word) || QUANTITY.test(word) || word.includes("_"))
          && !STOP.has(word.toLowerCase()) && !known.has(stemOf(word.toLowerCase())));
    }
  }

  /**
   * @param {string} asked a question; what it says of who asks is taken out
   * @returns {string} the address of a search for its telling words; following it sends them
   */
  function searchOf(asked) {
    const said = [...new Set(wordsOf(redact(asked)))];
    const named = said.map((word) => word.toLowerCase()).find((word) => Object.hasOwn(libraries, word)) || "";
    const repo = named ? libraries[named].repo : "";
    const rest = said.filter((word) => !repo || word.toLowerCase() !== named).slice(0, limits.searched);
    return issueSearch + encodeURIComponent([...(repo ? ["repo:" + repo] : []), ...rest].join(" "));
  }

  /**
   * @param {string} text
   * @returns {string[]} its words that are no chatter, in the order in which they stand
   */
  function wordsOf(text) {
    return (telling(text).match(WORD) || []).flatMap((word) => {
      if (HAN.test(word)) return word.split(HAN_STOP).filter((run) => run.length >= limits.leastHan);
      return STOP.has(word.toLowerCase()) || /^[A-Za-z_]$/.test(word) ? [] : [word];
    });
  }

  return { Elsewhere, searchOf };
});
