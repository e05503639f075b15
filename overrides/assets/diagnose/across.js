// What two ranks say of one thing: a pattern may ask that they disagree.
fixbook.define("across", function () {
  "use strict";

  /**
   * @param {Hit[]} hits what was found in all logs of a run: of each pattern the first of a rank
   * @param {Index} index
   * @returns {(hit: Hit) => boolean} whether a hit counts: another rank differs, or its pattern asks for none
   */
  function disagreements(hits, index) {
    /** @type {Map<string, Set<string>>} */
    const said = new Map();
    /**
     * @param {Hit} hit
     * @param {string[]} names
     */
    const values = (hit, names) => names.map((name) => hit.captures[name] || null);
    /** @param {Hit} hit */
    const key = (hit) => JSON.stringify([hit.matcher, ...values(hit, index.matchers[hit.matcher].same)]);
    for (const hit of hits) {
      const { differ } = index.matchers[hit.matcher];
      if (!differ.length) continue;
      const group = said.get(key(hit)) || new Set();
      said.set(key(hit), group.add(JSON.stringify(values(hit, differ))));
    }
    return (hit) => !index.matchers[hit.matcher].differ.length || (said.get(key(hit)) || new Set()).size > 1;
  }

  return { disagreements };
});
