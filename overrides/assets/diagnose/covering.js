// How much of a query a document must cover to be an answer, and what of it nothing in the book covers.
fixbook.define("covering", function (use) {
  "use strict";
  const { stemOf } = use("tokens");
  const { search } = use("constants");
  const HAN = /[\u3400-\u9fff]/;

  /**
   * @param {number} share weight of the query that a document covers
   * @param {number} whole weight of the query
   * @param {number} said weight of what the best name of the document says
   * @param {number} told how far the query tells of a failure
   */
  function covers(share, whole, said, told) {
    return (whole <= search.few && share >= search.leastCovered * search.moreOfFew[told] * whole)
      || share * (said + search.unnamed) ** search.byName >= search.enough * search.more[told] * Math.sqrt(whole);
  }

  /**
   * How far an unknown token is something that the book lacks. A number is not, nor is an
   * identifier whose parts are counted, nor two Chinese characters of which one belongs to a known
   * pair: they straddle two words. So may any two others.
   * @param {string} token
   * @param {Set<string>} known characters of the tokens that the book knows
   */
  function lacks(token, known) {
    if (HAN.test(token)) return [...token].some((sign) => known.has(sign)) ? 0 : 0.5;
    return /^[0-9]+$|_/.test(token) ? 0 : 1;
  }

  /**
   * @param {string} query
   * @returns {Map<string, string>} its words, and parts of them, by their tokens
   */
  function wordsOf(query) {
    const whole = query.match(/[A-Za-z0-9_]+/g) || [];
    const parts = query.match(/[A-Z]?[a-z]+|[A-Z]+/g) || [];
    const typed = [...parts, ...whole].map((word) => word.toLowerCase());
    return new Map(typed.map((word) => [stemOf(word), word]));
  }

  return { covers, lacks, wordsOf };
});
