// Ranked search over packed documents: BM25, and what their names say; what covers too little of the
// query is left out.
fixbook.define("bm25", function (use) {
  "use strict";
  const { tokensOf, phraseOf, stemOf, cleanQuery, telling, isBare, cardsIn } = use("tokens");
  const { Elsewhere } = use("elsewhere");
  const { failureTold } = use("question");
  const { endingsOf } = use("endings");
  const { unpackTokens, unpackPosting } = use("postings");
  const { covers, lacks, wordsOf } = use("covering");
  const { limits, search } = use("constants");

  const { k1: K1, b: B, fullLevel: FULL_LEVEL } = search;
  const MOST_WORDS = 5;
  const ENDING_WEIGHT = 0.5;
  const HAN = /[\u3400-\u9fff]/;

  /** @typedef {{weight: number, ending: boolean}} Wanted */

  class SearchIndex {
    /**
     * @param {Packed} packed
     * @param {string[]} elsewhere names of what the book has nothing on, in lower case
     */
    constructor(packed, elsewhere = []) {
      this.elsewhere = new Elsewhere(elsewhere);
      this.slugs = packed.slugs;
      this.levels = packed.levels;
      this.sorted = unpackTokens(packed.tokens);
      // The tokens that are names of pages, as its words with "=" between them.
      this.names = this.sorted.filter((token) => token.startsWith("="));
      const postings = packed.postings ? packed.postings.split(" ") : [];
      /** @type {Map<string, string>} */
      this.postings = new Map(this.sorted.map((token, at) => [token, postings[at]]));
      /** @type {Map<string, [number, number][]>} */
      this.unpacked = new Map();
      /** @type {{query: string, typing: boolean, wanted: Map<string, Wanted>} | null} */
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
      if (isBare(query) && (!typing || cardsIn(query).length)) return [];
      const names = this.elsewhere.in(query);
      const told = failureTold(query, telling(query));
      if (names.length && search.nothingAmiss.includes(told)) return [];
      const wanted = this.wanted(query, typing);
      const { scores, shares, said } = this.scored(wanted);
      let whole = 0;
      for (const { weight, ending } of wanted.values()) whole += ending ? 0 : weight;
      const ranked = this.ranked(
        scores, (at) => covers(shares[at], whole, said[at], told) && this.about(at, names));
      const enough = ranked.length ? ranked[0][1] * search.weak : 0;
      const end = ranked.findIndex(([slug, score]) => slug === search.notYet || score < enough);
      return ranked.slice(0, end < 0 ? top : Math.min(top, end));
    }

    /**
     * @param {string} query
     * @param {number} top
     * @returns {string[]} what is nearest to a query that nothing answers, best first
     */
    nearest(query, top) {
      const { scores } = this.scored(this.wanted(query, false));
      const ranked = this.ranked(scores, (at) => this.slugs[at] !== search.notYet);
      return ranked.slice(0, top).map(([slug]) => slug);
    }

    /**
     * @param {string} query
     * @returns {string[]} the names in it of what the book has nothing on, or does not know
     */
    lacking(query) {
      return [...new Set([...this.elsewhere.in(query), ...this.elsewhere.strange(query, this.postings)])];
    }

    /** @param {Map<string, Wanted>} wanted weights; of every page that of what its best name says */
    said(wanted) {
      const said = new Float64Array(this.slugs.length);
      for (const name of this.names) {
        const tokens = [...new Set(name.slice(1).split("="))];
        const weight = tokens.reduce((sum, word) => sum + (wanted.get(word)?.weight || 0), 0);
        if (weight) for (const [at] of this.found(name)) said[at] = Math.max(said[at], weight);
      }
      return said;
    }

    /**
     * @param {Float64Array} scores
     * @param {(at: number) => boolean} fits
     * @returns {Ranked[]} the documents that fit, best first
     */
    ranked(scores, fits) {
      /** @type {Ranked[]} */
      const ranked = [];
      scores.forEach((score, at) => {
        if (score > 0 && fits(at)) ranked.push([this.slugs[at], Math.round(score * 1e6) / 1e6]);
      });
      return ranked.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    }

    /**
     * @param {number} at a document
     * @param {string[]} names of what the book has nothing on
     * @returns {boolean} whether it is about all of them
     */
    about(at, names) {
      return names.every((name) => this.found(stemOf(name.toLowerCase())).some(
        ([document, level]) => document === at && this.levels[level] >= search.named));
    }

    /**
     * @param {string[]} slugs
     * @param {string} query
     * @returns {string[]} in the order of the query; those that it does not tell apart stay
     */
    ordered(slugs, query) {
      const { scores } = this.scored(this.wanted(query, false));
      /** @param {string} slug */
      const rank = (slug) => Math.round((scores[this.slugs.indexOf(slug)] || 0) * 1e6);
      return [...slugs].sort((a, b) => rank(b) - rank(a));
    }

    /**
     * @param {string} query
     * @param {boolean} typing
     * @returns {Map<string, Wanted>} the tokens of a query with what each weighs by its rarity
     */
    wanted(query, typing) {
      if (this.last && this.last.query === query && this.last.typing === typing) return this.last.wanted;
      /** @type {Map<string, number>} */
      const weights = new Map();
      for (const [token, weight] of tokensOf(telling(cleanQuery(query))).slice(0, limits.tokens)) {
        weights.set(token, Math.max(weights.get(token) || 0, weight));
      }
      const phrase = phraseOf(query);
      if (this.postings.has(phrase)) weights.set(phrase, 1);
      const endings = typing ? endingsOf(query, weights, this.postings, this.sorted) : [];
      const strange = this.elsewhere.strange(query, this.postings).filter((word) => !typing || !query.endsWith(word));
      const wanted = this.weighed(weights, new Set(strange.map((word) => stemOf(word.toLowerCase()))));
      for (const token of endings) {
        if (!wanted.has(token)) wanted.set(token, { weight: ENDING_WEIGHT * this.rarity(token), ending: true });
      }
      this.last = { query, typing, wanted };
      return wanted;
    }

    /**
     * @param {Map<string, number>} weights
     * @param {Set<string>} strange names that no document holds
     * @returns {Map<string, Wanted>}
     */
    weighed(weights, strange) {
      const known = new Set([...weights.keys()].filter((token) => this.postings.has(token)).join(""));
      /** @type {Map<string, Wanted>} */
      const wanted = new Map();
      for (const [token, weight] of weights) {
        const lacking = strange.has(token) ? search.strange : search.unknown * lacks(token, known);
        const share = this.postings.has(token) ? 1 : lacking;
        if (share) wanted.set(token, { weight: weight * share * this.rarity(token), ending: false });
      }
      return wanted;
    }

    /**
     * @param {string} token
     * @returns {number} what it weighs, the more the fewer documents hold it
     */
    rarity(token) {
      const count = this.found(token).length;
      return Math.log(1 + (this.slugs.length - count + 0.5) / (count + 0.5));
    }

    /**
     * @param {string} query
     * @param {string} slug a document that was found
     * @returns {string[]} the rarest words of the query that it holds, as they were typed
     */
    why(query, slug) {
      const document = this.slugs.indexOf(slug);
      const typed = wordsOf(query);
      /** @type {[number, string][]} */
      const shared = [];
      for (const token of this.wanted(query, true).keys()) {
        if (/^(?:[a-z0-9]{2}$|=)/.test(token)) continue;
        const found = this.found(token);
        if (!found.some(([at]) => at === document)) continue;
        const last = shared[shared.length - 1];
        if (last && HAN.test(token) && last[1].endsWith(token[0])) last[1] += token.slice(1);
        else shared.push([found.length, typed.get(token) || token]);
      }
      shared.sort((a, b) => a[0] - b[0] || b[1].length - a[1].length);
      return [...new Set(shared.map(([, word]) => word))].slice(0, MOST_WORDS);
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
     * @param {Map<string, Wanted>} wanted
     * @returns {{scores: Float64Array, shares: Float64Array, said: Float64Array}} of every document:
     *   what it is ranked by, and the weight of what it and the best of its names cover
     */
    scored(wanted) {
      const scores = new Float64Array(this.slugs.length);
      const shares = new Float64Array(this.slugs.length);
      for (const [token, { weight }] of wanted) {
        for (const [at, level] of this.found(token)) {
          const count = this.levels[level];
          scores[at] += (weight * count * (K1 + 1)) / (count + this.norms[at]);
          shares[at] += weight * Math.min(1, count / FULL_LEVEL);
        }
      }
      const said = this.said(wanted);
      said.forEach((weight, at) => {
        if (shares[at]) scores[at] += weight;
      });
      return { scores, shares, said };
    }
  }

  return { SearchIndex };
});
