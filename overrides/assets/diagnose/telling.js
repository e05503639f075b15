// Which line of a failure to show: the one that says most, not the one that comes first.
fixbook.define("telling", function (use) {
  "use strict";
  const { length } = use("text");
  const { limits, patterns } = use("constants");
  const ERROR = new RegExp(patterns.error, "u");

  /**
   * Of the exceptions the one that captures most, then the longest.
   * @param {Hit[]} hits of one entry or message, in the order of the log
   * @param {Index} index
   * @returns {Hit}
   */
  function tellingOf(hits, index) {
    const [first] = hits;
    if (!index.matchers[first.matcher].specific) return first;
    const { source, line } = first;
    const raised = hits.filter((hit) =>
      hit.source === source && hit.line.rank === line.rank && hit.line.number - line.number <= limits.below
        && ERROR.test(hit.line.text));
    return raised.length ? raised.reduce((best, hit) => (saysMore(hit, best) ? hit : best)) : first;
  }

  /**
   * @param {Hit} one
   * @param {Hit} other
   */
  function saysMore(one, other) {
    const captured = Object.keys(one.captures).length - Object.keys(other.captures).length;
    return captured > 0 || (!captured && length(one.line.text) > length(other.line.text));
  }

  /**
   * Hits without those of source lines that something else speaks for.
   * @param {Placed[]} placed in their order
   * @param {Index} index
   * @param {boolean} errors whether the logs hold an exception that no pattern matched
   * @returns {Placed[]}
   */
  function withoutCode(placed, index, errors) {
    /** @param {Hit} hit */
    const ownerOf = (hit) => index.matchers[hit.matcher].owner;
    /** @param {Hit} hit */
    const lineOf = ({ source, line }) => JSON.stringify([source, line.number, line.rank]);
    const plain = placed.map(({ hit }) => hit).filter((hit) => !hit.code);
    const owners = new Set(plain.map(ownerOf));
    /** @type {Map<string, Set<string>>} */
    const byLine = new Map();
    for (const hit of plain) byLine.set(lineOf(hit), (byLine.get(lineOf(hit)) || new Set()).add(ownerOf(hit)));
    return placed.filter(({ hit }) => {
      if (!hit.code) return true;
      const owner = ownerOf(hit);
      const here = [...(byLine.get(lineOf(hit)) || [])];
      const others = here.some((one) => !(index.causes[one] || []).includes(owner));
      const raised = ERROR.test(hit.line.text); // else a line that raises, without its end
      return !owners.has(owner) && !others && (raised || !(plain.length || errors));
    });
  }

  return { tellingOf, withoutCode };
});
