// Unpack tokens, and the documents that each stands in, as `generator/browser/packing.py` packs them.
fixbook.define("postings", function (use) {
  "use strict";
  const { search } = use("constants");

  const { base: BASE } = search;
  const VALUES = new Map([...search.digits].map((digit, value) => [digit, value]));

  /**
   * @param {string} packed
   * @returns {string[]}
   */
  function unpackTokens(packed) {
    let last = "";
    return (packed ? packed.split(" ") : []).map((part) => {
      last = last.slice(0, VALUES.get(part[0])) + part.slice(1);
      return last;
    });
  }

  /**
   * @param {string} posting
   * @param {number} levels how many there are
   * @returns {[number, number][]}
   */
  function unpackPosting(posting, levels) {
    /** @type {[number, number][]} */
    const found = [];
    let at = -1;
    let value = 0;
    let scale = 1;
    for (const digit of posting) {
      const bits = VALUES.get(digit) || 0;
      value += (bits % BASE) * scale;
      scale *= BASE;
      if (bits >= BASE) continue;
      at += 1 + Math.floor(value / levels);
      found.push([at, value % levels]);
      value = 0;
      scale = 1;
    }
    return found;
  }

  return { unpackTokens, unpackPosting };
});
