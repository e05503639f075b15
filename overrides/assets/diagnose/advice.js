// What an answer says to do: the fixes of an entry in the order that the log decides, and the check.
fixbook.define("advice", function (use) {
  "use strict";
  const { ORDER, caseOf, standingOf } = use("cases");
  const { filled, filledHtml } = use("yours");

  /**
   * @param {AdviceRow} row the entry's advice, as `fixes.js` holds it
   * @param {Shown} shown what the log shows
   * @returns {Advice}
   */
  function adviceOf(row, shown) {
    const captures = { ...shown.captures, ...successor(row, shown) };
    /** @param {string} text */
    const plain = (text) => filled(text, captures, row.yours);
    /** @param {string} text */
    const html = (text) => filledHtml(text, captures, row.yours);
    /** @param {Code | null} code */
    const coded = (code) => code && { ...code, text: plain(code.text) };
    const fixes = row.fixes.map((fix) => {
      const standing = standingOf(fix.when, shown);
      const telling = fix.when.filter(({ all }) => standing !== "met" || caseOf(all, shown) === standing);
      const changes = fix.changes.map((change) => ({ ...change, text: plain(change.text) }));
      changes.sort((a, b) => Number(shown.libraries.includes(b.tool)) - Number(shown.libraries.includes(a.tool)));
      return {
        id: fix.id,
        standing,
        says: telling.map(({ says }) => filled(says, standing === "met" ? captures : {}, row.yours)),
        title: plain(fix.title),
        text: html(fix.text),
        code: coded(fix.code),
        changes,
        trade_off: fix.trade_off && html(fix.trade_off),
      };
    });
    fixes.sort((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
    const { detect } = row;
    return {
      fixes,
      avoid: row.avoid
        .filter(({ when }) => standingOf(when, shown) === "met")
        .map(({ title, text }) => ({ title: plain(title), text: html(text) })),
      detect: standingOf(detect.when, shown) === "against" ? null : { text: html(detect.text), code: coded(detect.code) },
    };
  }

  /**
   * What the captured `name` is called now, where the entry knows.
   * @param {AdviceRow} row
   * @param {Shown} shown
   * @returns {Record<string, string>}
   */
  function successor({ names }, { captures }) {
    const name = Object.hasOwn(captures, "name") ? captures.name : "";
    return Object.hasOwn(names, name) && names[name] ? { now: names[name] } : {};
  }

  return { adviceOf };
});
