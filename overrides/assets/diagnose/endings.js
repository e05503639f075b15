// What the last word of a query may become while it is typed.
fixbook.define("endings", function (use) {
  "use strict";
  const { stemOf } = use("tokens");

  const MOST_ENDINGS = 24;
  const MOST_WEIGHED = 6; // tokens of a short query
  // What is being typed: an identifier or a single Chinese character, else the part of one.
  const LAST = [/[A-Za-z0-9_]{2,}$|(?<![\u3400-\u9fff])[\u3400-\u9fff]$/, /[A-Za-z0-9]{2,}$/];

  /**
   * Words that begin with the last one of a short query, or with its last part; they stand in
   * for it.
   * @param {string} query
   * @param {Map<string, number>} weights of its tokens, which loses the last one
   * @param {Map<string, string>} postings by token
   * @param {string[]} sorted all tokens
   * @returns {string[]}
   */
  function endingsOf(query, weights, postings, sorted) {
    if (weights.size > MOST_WEIGHED) return [];
    for (const last of LAST) {
      const start = (last.exec(query) || [""])[0].toLowerCase();
      if (!start || postings.has(stemOf(start))) return [];
      const found = beginningWith(start, sorted);
      if (!found.length) continue;
      weights.delete(stemOf(start));
      return found;
    }
    return [];
  }

  /**
   * @param {string} start
   * @param {string[]} sorted
   * @returns {string[]} tokens
   */
  function beginningWith(start, sorted) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < start) low = middle + 1;
      else high = middle;
    }
    return sorted.slice(low, low + MOST_ENDINGS).filter((token) => token.startsWith(start));
  }

  return { endingsOf };
});
