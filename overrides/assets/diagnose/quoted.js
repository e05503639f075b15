// Text that quotes an error and reports none: source lines, training data, one attempt of several.
fixbook.define("quoted", function (use) {
  "use strict";
  const { limits, patterns } = use("constants");

  const CODE = new RegExp("^(?:" + patterns.code + ")", "u");
  const DATA = new RegExp(patterns.data, "u");
  const AGAIN = new RegExp(patterns.again, "u");
  const CLOSED = new RegExp(patterns.chatClosed, "u");
  const OPENED = new RegExp(patterns.chatOpened, "gu");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * @param {string} text a line
   * @param {number} start where something begins in it
   * @returns {boolean} whether that is text of a sample of data
   */
  function inData(text, start) {
    return DATA.test(text.slice(0, start));
  }

  /**
   * @param {string} text a line
   * @returns {boolean} whether it is a source line of a traceback or a warning
   */
  function isCode(text) {
    return CODE.test(text);
  }

  /**
   * @param {string} text a line
   * @returns {boolean} whether it says that what failed is tried again
   */
  function isTriedAgain(text) {
    return AGAIN.test(text);
  }

  /**
   * @param {Uint8Array} chunk whole lines of a log
   * @param {number} start where a line begins
   * @returns {boolean} whether the line stands between the marks of a chat template
   */
  function inChat(chunk, start) {
    const before = decoder.decode(chunk.subarray(Math.max(0, start - limits.reach), start));
    const opened = [...before.matchAll(OPENED)].pop();
    if (!opened || CLOSED.test(before.slice(opened.index + opened[0].length))) return false;
    const after = decoder.decode(chunk.subarray(start, start + limits.reach));
    const closed = after.search(CLOSED);
    const reopened = after.search(OPENED);
    return closed >= 0 && (reopened < 0 || closed < reopened);
  }

  return { inData, isCode, isTriedAgain, inChat };
});
