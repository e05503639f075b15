// Ranked search (BM25) over documents that come as one packed list of tokens and postings.
fixbook.define("bm25", function (use) {
  "use strict";
  const { tokensOf, cleanQuery } = use("tokens");
  const { limits, search } = use("constants");

  const { k1: K1, b: B, base: BASE } = search;
  const MOST_ENDINGS = 24;
  const MOST_WORDS = 5;
  const ENDING_WEIGHT = 0.5;
  const VALUES = new Map([...search.digits].map((digit, value) => [digit, value]));

  class SearchIndex {
    /** @param {Packed} packed */
    constructor(packed) {
      this.slugs = packed.slugs;
      this.levels = packed.levels;
      this.sorted = unpackTokens(packed.tokens);
      const postings = packed.postings ? packed.postings.split(" ") : [];
      /** @type {Map<string, string>} */
      this.postings = new Map(this.sorted.map((token, at) => [token, postings[at]]));
      /** @type {Map<string, [number, number][]>} */
      this.unpacked = new Map();
      /** @type {{query: string, typing: boolean, wanted: Map<string, number>} | null} */
      this.last = null;
      const { lengths } = packed;
      const mean = lengths.length ? lengths.reduce((sum, one) => sum + one, 0) / lengths.length : 1;
      this.norms = lengths.map((one) => K1 * (1 - B + (B * one) / mean));
    }

    /**
     * @param {string} query
     * @param {number} top
     * @param {boolean} typing take the last word for the beginning of one
     * @returns {Ranked[]} names with their scores, best first
     */
    search(query, top = 10, typing = false) {
      const wanted = this.wanted(query, typing);
      const scores = new Float64Array(this.slugs.length);
      for (const [token, weight] of wanted) this.count(token, weight, scores);
      /** @type {Ranked[]} */
      const ranked = [];
      scores.forEach((score, at) => {
        if (score > 0) ranked.push([this.slugs[at], Math.round(score * 1e6) / 1e6]);
      });
      ranked.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      return ranked.slice(0, top);
    }

    /**
     * @param {string} query
     * @param {boolean} typing
     * @returns {Map<string, number>} the tokens of a query with their weights
     */
    wanted(query, typing) {
      if (this.last && this.last.query === query && this.last.typing === typing) return this.last.wanted;
      const wanted = new Map();
      for (const [token, weight] of tokensOf(cleanQuery(query)).slice(0, limits.tokens)) {
        wanted.set(token, Math.max(wanted.get(token) || 0, weight));
      }
      if (typing) this.complete(query, wanted);
      this.last = { query, typing, wanted };
      return wanted;
    }

    /**
     * @param {string} query
     * @param {string} slug a document that was found
     * @returns {string[]} the rarest words that they share
     */
    why(query, slug) {
      const document = this.slugs.indexOf(slug);
      /** @type {[number, string][]} */
      const shared = [];
      for (const token of this.wanted(query, true).keys()) {
        if (/^[a-z0-9]{2}$/.test(token)) continue;
        const found = this.found(token);
        if (!found.some(([at]) => at === document)) continue;
        const last = shared[shared.length - 1];
        if (last && /[\u3400-\u9fff]/.test(token) && last[1].endsWith(token[0])) last[1] += token.slice(1);
        else shared.push([found.length, token]);
      }
      shared.sort((a, b) => a[0] - b[0] || b[1].length - a[1].length);
      return shared.slice(0, MOST_WORDS).map(([, token]) => token);
    }

    /**
     * @param {string} token
     * @returns {[number, number][]} the documents with a token, and its level in each
     */
    found(token) {
      let found = this.unpacked.get(token);
      if (found) return found;
      const posting = this.postings.get(token);
      found = posting === undefined ? [] : unpackPosting(posting, this.levels.length);
      if (posting !== undefined) this.unpacked.set(token, found);
      return found;
    }

    /**
     * Add what a token is worth to the scores of the documents that hold it.
     * @param {string} token
     * @param {number} weight
     * @param {Float64Array} scores
     */
    count(token, weight, scores) {
      const found = this.found(token);
      if (!found.length) return;
      const idf = Math.log(1 + (this.slugs.length - found.length + 0.5) / (found.length + 0.5));
      for (const [at, level] of found) {
        const count = this.levels[level];
        scores[at] += (weight * idf * count * (K1 + 1)) / (count + this.norms[at]);
      }
    }

    /**
     * Add the words that begin with the last one of a short query.
     * @param {string} query
     * @param {Map<string, number>} wanted
     */
    complete(query, wanted) {
      const last = /[A-Za-z0-9_]{2,}$|[\u3400-\u9fff]$/.exec(query);
      const start = last && last[0].toLowerCase();
      if (!start || wanted.size > 6 || this.postings.has(start)) return;
      let low = 0;
      let high = this.sorted.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.sorted[middle] < start) low = middle + 1;
        else high = middle;
      }
      for (let at = low; at < low + MOST_ENDINGS && at < this.sorted.length; at++) {
        if (!this.sorted[at].startsWith(start)) break;
        wanted.set(this.sorted[at], ENDING_WEIGHT);
      }
    }
  }

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

  return { SearchIndex };
});
