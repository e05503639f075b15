// The time at which a line was printed, from the nearest timestamp at or before it.
fixbook.define("times", function (use) {
  "use strict";
  const { limits, patterns, year: YEAR } = use("constants");

  const TIME = new RegExp(patterns.time, "gu");
  const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
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
    if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    if (day > DAYS[month - 1] || (month === 2 && day === 29 && !leap)) return null;
    return Date.UTC(YEAR, month - 1, day, hour, minute, second) / 1000 + Number("0." + (fraction || micro || "0"));
  }

  return { moment };
});
