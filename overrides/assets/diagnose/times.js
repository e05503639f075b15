// The time at which a line was printed, from the nearest timestamp at or before it.
fixbook.define("times", function () {
  "use strict";

  const TIME =
    /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,6}))?|[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,6})/g;
  const LOOK_BACK = 8 * 1024;
  const YEAR = 2000; // glog names no year, and both forms must compare
  const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const decoder = new TextDecoder("latin1");

  /**
   * @param {Uint8Array} chunk
   * @param {number} start of the line
   * @param {number} end of the line
   * @returns {number | null} seconds since an arbitrary origin
   */
  function moment(chunk, start, end) {
    const text = decoder.decode(chunk.subarray(Math.max(0, start - LOOK_BACK), Math.min(end, start + 256)));
    let last = null;
    for (const match of text.matchAll(TIME)) last = match;
    if (!last) return null;
    const dated = last[1] !== undefined;
    const year = dated ? Number(last[1]) : YEAR;
    const [month, day, hour, minute, second] = last.slice(dated ? 2 : 8, dated ? 7 : 13).map(Number);
    if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    if (day > DAYS[month - 1] || (month === 2 && day === 29 && !leap)) return null;
    const fraction = (dated ? last[7] : last[13]) || "0";
    return Date.UTC(YEAR, month - 1, day, hour, minute, second) / 1000 + Number("0." + fraction);
  }

  return { moment };
});
