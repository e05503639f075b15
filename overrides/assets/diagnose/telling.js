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

  return { tellingOf };
});
