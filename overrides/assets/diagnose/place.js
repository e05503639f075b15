// Where a reader is: what was asked stays in the tab's history, so that Back and a reload bring the
// answer back, and goes with the reader to the other language. Only a short line that gives nothing
// away stands in the address, which a reload sends to whoever serves the site.
fixbook.define("place", function (use) {
  "use strict";
  const { redact } = use("redact");
  const SHORT = 200;
  const MOST = 1024 * 1024; // browsers refuse to keep more than a few of these
  const CARRIED = "fixbook.carried";

  /** @param {string} text */
  function fits(text) {
    const line = text.trim();
    return line.length <= SHORT && !line.includes("\n") && redact(line) === line;
  }

  /**
   * @param {string} text
   * @returns {URL}
   */
  function addressOf(text) {
    const address = new URL(location.href);
    address.hash = "";
    address.searchParams.delete("q");
    if (text && fits(text)) address.searchParams.set("q", text.trim());
    return address;
  }

  /**
   * Keep what is asked now; what was asked before is one step back.
   * @param {string} text
   */
  function remember(text) {
    const before = asked();
    const state = { asked: text.length > MOST ? "" : text };
    const again = before === null || before === state.asked;
    const fixed = location.protocol === "file:"; // whose address may not change
    history[again ? "replaceState" : "pushState"](state, "", fixed ? undefined : addressOf(state.asked));
  }

  /** @returns {string | null} what this step of the history asked */
  function asked() {
    return history.state && typeof history.state.asked === "string" ? history.state.asked : null;
  }

  /** Keep how far down the page the reader is, for when they come back. */
  function leave() {
    if (asked() !== null) history.replaceState({ ...history.state, top: scrollY }, "");
  }

  /** @returns {number} where the reader was when they left, or 0 */
  function top() {
    return (history.state && history.state.top) || 0;
  }

  /**
   * Hand a text to the next page of this tab.
   * @param {string} text
   * @param {boolean} answered whether it is to be answered there
   */
  function carry(text, answered) {
    try {
      sessionStorage.setItem(CARRIED, JSON.stringify({ text, answered }));
    } catch {
      // Too large, or storage is off: the other page starts empty.
    }
  }

  /** @returns {{text: string, answered: boolean} | null} what this page begins with */
  function recall() {
    try {
      const carried = sessionStorage.getItem(CARRIED);
      sessionStorage.removeItem(CARRIED);
      if (carried) return JSON.parse(carried);
    } catch {
      // Storage is off.
    }
    const text = asked();
    return text === null ? null : { text, answered: text !== "" };
  }

  return { remember, asked, leave, top, carry, recall };
});
