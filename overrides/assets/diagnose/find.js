// What the search box shows: entries that a signature recognises, with the reason; then, marked as
// such, what is near by words alone.
fixbook.define("find", function (use) {
  "use strict";
  const { escape } = use("text");
  const { unfold } = use("unfold");
  const { labelled } = use("answer");

  const MOST = 10;
  const WEAK = 0.2; // of the best score
  const PAGES = 0.7; // other pages count less than entries
  const LONG = 80;
  const BEFORE = 50;
  const AFTER = 110;
  const WORDS = {
    en: {
      specific: "Specific",
      possible: "Possible cause",
      message: "Shared message",
      near: "By words",
      line: "line",
      sep: ": ",
      whole: "Diagnose a whole log",
      wholeText: "Keeps the lines, reads files of any size and several ranks at once. Nothing leaves the page.",
    },
    zh: {
      specific: "明确",
      possible: "可能的原因",
      message: "多种原因共有的报错",
      near: "用词相近",
      line: "行",
      sep: "：",
      whole: "诊断整份日志",
      wholeText: "保留换行，可以读任意大小的文件、同时读多个 rank。数据不会离开本页。",
    },
  };

  /**
   * @typedef {object} Item
   * @property {string} location
   * @property {string} title as HTML
   * @property {string} text as HTML
   * @property {number} score
   * @property {object} terms
   */

  class Finder {
    /**
     * @param {import("./engine.js").Engine} engine
     * @param {string} ending what an address of a folder needs, `index.html` on file://
     */
    constructor(engine, ending = "") {
      this.engine = engine;
      this.data = engine.index.data;
      this.words = WORDS[this.data.lang] || WORDS.en;
      this.ending = ending;
    }

    /**
     * @param {string} query a word, a phrase, an identifier, a line, or a whole traceback
     * @returns {Item[][]} groups of one, best first
     */
    find(query) {
      if (!query.trim()) return [];
      /** @type {Map<string, {location: string, title: string, text: string}>} */
      const items = new Map();
      const near = this.near(query);
      this.recognised(query, near.map(([key]) => key), items);
      for (const [key, index, terms] of near) {
        if (items.size >= MOST) break;
        if (!items.has(key)) items.set(key, this.item(key, index, this.tag("near") + " " + words(terms)));
      }
      if (query.length > LONG || !items.size) items.set("diagnose/", this.whole());
      return [...items.values()].map((item, at) => [{ ...item, score: 100 - at, terms: {} }]);
    }

    recognised(query, order, items) {
      const { findings } = this.diagnose(query);
      const specific = findings.filter((one) => one.specific);
      for (const finding of specific) {
        items.set(finding.owner, this.item(finding.owner, "entries", this.tag("specific") + " " + this.why(finding)));
      }
      for (const finding of specific.length ? [] : findings) {
        const page = "symptoms/" + finding.owner + "/";
        const why = this.why(finding);
        items.set(page, this.item(finding.owner, "symptoms", this.tag("message") + " " + why));
        const causes = [...finding.causes].sort((a, b) => place(order, a) - place(order, b));
        for (const slug of causes) {
          if (!items.has(slug)) items.set(slug, this.item(slug, "entries", this.tag("possible")));
        }
      }
    }

    /** A paste into one line is tried with the lines it probably had, and then as it is. */
    diagnose(query) {
      const lines = unfold(query);
      const found = this.engine.diagnose(lines);
      if (lines === query || (found.findings[0] && found.findings[0].specific)) return found;
      const whole = this.engine.diagnose(query);
      const better = whole.findings[0] && (whole.findings[0].specific || !found.findings.length);
      return better ? whole : found;
    }

    /** @returns {[string, string, string[]][]} key, kind and telling words of what is near by words */
    near(query) {
      const entries = this.engine.entries.search(query, MOST, true).map(([key, score]) => [key, score, "entries"]);
      const pages = this.engine.pages.search(query, MOST, true).map(([key, score]) => [key, score * PAGES, "pages"]);
      const all = [...entries, ...pages].sort((a, b) => b[1] - a[1]);
      const enough = all.length ? all[0][1] * WEAK : 0;
      return all
        .filter(([, score]) => score >= enough)
        .slice(0, MOST)
        .map(([key, , kind]) => [key, kind, this.engine[kind].why(query, key)]);
    }

    item(key, kind, why) {
      const { titles, pageTitles } = this.data;
      const symptom = /^symptoms\/([^/]+)\/$/.exec(key);
      const own = titles[symptom ? symptom[1] : key];
      const card = own || { title: pageTitles[key], summary: "" };
      const folder = kind === "pages" ? key : (kind === "symptoms" ? "symptoms/" : "") + key + "/";
      const summary = card.summary ? '<p class="fb-found__summary">' + escape(card.summary) + "</p>" : "";
      return {
        location: folder + (folder.endsWith("/") ? this.ending : ""),
        title: escape(card.title),
        text: '<p class="fb-found">' + why + "</p>" + summary,
      };
    }

    whole() {
      const { whole, wholeText } = this.words;
      return { location: "diagnose/" + this.ending, title: whole, text: "<p>" + wholeText + "</p>" };
    }

    tag(kind) {
      return '<span class="fb-found__tag fb-found__tag--' + kind + '">' + this.words[kind] + "</span>";
    }

    /** The part of the line that matched, and the values it holds. */
    why(finding) {
      const { text } = finding.line;
      const match = this.engine.index.regex(finding.pattern).exec(text);
      const from = match ? match.index : 0;
      const to = match ? from + Math.min(match[0].length, 2 * AFTER) : 0;
      const start = Math.max(0, from - BEFORE);
      const end = Math.min(text.length, to + AFTER);
      const line =
        (start ? "…" : "") +
        escape(text.slice(start, from)) +
        "<mark>" + escape(text.slice(from, to)) + "</mark>" +
        escape(text.slice(to, end)) +
        (end < text.length ? "…" : "");
      const values = labelled(finding, this.data.labels).map(
        ({ label, value }) =>
          '<span class="fb-found__value">' + escape(label + this.words.sep) + "<b>" + escape(value) + "</b></span>"
      );
      const rank = finding.line.rank === null ? "" : '<span class="fb-found__value">rank ' + finding.line.rank + "</span>";
      return "<code>" + line + "</code> " + rank + values.join(" ");
    }
  }

  function words(terms) {
    return terms.map((term) => "<mark>" + escape(term) + "</mark>").join(" ");
  }

  function place(order, slug) {
    const at = order.indexOf(slug);
    return at < 0 ? order.length : at;
  }

  return { Finder };
});
