// The time at which a line was printed, from the nearest timestamp at or before it.
fixbook.define("times", function (use) {
  "use strict";
  const { limits, patterns, year: YEAR } = use("constants");

  const TIME = new RegExp(patterns.time, "gu");
  const decoder = new TextDecoder("latin1");

  /**
   * @param {Uint8Array} chunk
   * @param {number} start of the line
   * @param {number} end of the line
   * @returns {number | null} seconds since an arbitrary origin
   */
  function moment(chunk, start, end) {
    const from = Math.max(0, start - limits.lookBack);
    const text = decoder.decode(chunk.subarray(from, Math.min(end, start + limits.lookAhead)));
    /** @type {Record<string, string> | undefined} */
    let last;
    for (const match of text.matchAll(TIME)) last = match.groups;
    if (!last) return null;
    const { date, time, fraction, clock, micro } = last;
    const [year, month, day] = (date || [YEAR, last.month, last.day].join("-")).split("-").map(Number);
    const [hour, minute, second] = (time || clock).split(":").map(Number);
    if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
    return Date.UTC(YEAR, month - 1, day, hour, minute, second) / 1000 + Number("0." + (fraction || micro || "0"));
  }

  /**
   * @param {number} year
   * @param {number} month from 1
   * @param {number} day
   * @returns {boolean} false where a calendar would carry over, as on 30 February
   */
  function isDay(year, month, day) {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  }

  return { moment };
});
