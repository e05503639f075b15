// What the search box shows: entries that a signature recognises, with the reason; then, marked as
// such, what is near by words alone. For a log nobody guesses.
fixbook.define("find", function (use) {
  "use strict";
  const { escape } = use("text");
  const { unfold } = use("unfold");
  const { labelled } = use("answer");
  const { isQuestion } = use("question");
  const { redact } = use("redact");
  const { lacking } = use("words");
  const { words } = use("constants");

  const MOST = 10;
  const PAGES = 0.7; // other pages count less than entries and messages
  const LONG = 80;
  const BEFORE = 50;
  const AFTER = 110;

  class Finder {
    /**
     * @param {Engine} engine
     * @param {string} ending what an address of a folder needs, `index.html` on file://
     */
    constructor(engine, ending = "") {
      this.engine = engine;
      this.data = engine.index.data;
      this.ending = ending;
    }

    /**
     * @param {string} query a word, a phrase, an identifier, a line, or a whole traceback
     * @returns {Item[][]} groups of one, best first
     */
    find(query) {
      if (!query.trim()) return [];
      const items = this.recognised(query);
      const found = items.size > 0;
      for (const { address, name, index } of isQuestion(query) ? this.near(query) : []) {
        if (items.size >= MOST) break;
        if (items.has(address)) continue;
        items.set(address, this.item(address, name, tag("near") + " " + marked(index.why(query, name))));
      }
      if (!items.size) this.unanswered(query, items);
      else if (found && query.length > LONG) items.set("diagnose/", this.whole());
      return [...items.values()].map((item, at) => [{ ...item, score: 100 - at, terms: {} }]);
    }

    /**
     * @param {string} query
     * @returns {Map<string, {location: string, title: string, text: string}>} by address
     */
    recognised(query) {
      const items = new Map();
      const { matches } = this.diagnose(query);
      const specific = matches.filter((match) => match.specific);
      for (const match of specific.length ? specific : matches) {
        const { owner } = match;
        const kind = tag(match.specific ? "specific" : "message");
        items.set(this.address(owner), this.item(this.address(owner), owner, kind + " " + this.why(match)));
        for (const slug of match.causes) {
          const address = this.address(slug);
          if (!items.has(address)) items.set(address, this.item(address, slug, tag("possible")));
        }
      }
      return items;
    }

    /**
     * A paste into one line is tried with the lines it probably had, and then as it is.
     * @param {string} query
     */
    diagnose(query) {
      const lines = unfold(query);
      const found = this.engine.diagnose(lines);
      if (lines === query || (found.matches[0] && found.matches[0].specific)) return found;
      const whole = this.engine.diagnose(query);
      const better = whole.matches[0] && (whole.matches[0].specific || !found.matches.length);
      return better ? whole : found;
    }

    /**
     * @param {string} query
     * @returns {{address: string, name: string, score: number, index: SearchIndex}[]} near by words
     */
    near(query) {
      const { entries, pages } = this.engine;
      const all = [
        ...entries
          .search(query, MOST, true)
          .map(([name, score]) => ({ address: this.address(name), name, score, index: entries })),
        ...pages
          .search(query, MOST, true)
          .map(([name, score]) => ({ address: name, name, score: score * PAGES, index: pages })),
      ];
      all.sort((a, b) => b.score - a.score);
      return all.slice(0, MOST);
    }

    /**
     * @param {string} name of an entry or a message
     * @returns {string}
     */
    address(name) {
      return (name in this.data.causes ? "symptoms/" : "") + name + "/";
    }

    /**
     * @param {string} address
     * @param {string} name of an entry, a message or another page
     * @param {string} why HTML
     */
    item(address, name, why) {
      const { titles, pageTitles } = this.data;
      const card = titles[name] || { title: pageTitles[name], summary: "" };
      const summary = card.summary ? '<p class="fb-found__summary">' + escape(card.summary) + "</p>" : "";
      return {
        location: address + (address.endsWith("/") ? this.ending : ""),
        title: escape(card.title),
        text: '<p class="fb-found">' + why + "</p>" + summary,
      };
    }

    /**
     * Where nothing is known: that, and what is nearest, marked as such.
     * @param {string} query
     * @param {Map<string, {location: string, title: string, text: string}>} items
     */
    unanswered(query, items) {
      const asked = this.engine.unanswered(query);
      items.set("diagnose/", this.notYet(query, asked));
      for (const name of asked ? asked.nearest : []) {
        items.set(this.address(name), this.item(this.address(name), name, tag("nearest")));
      }
    }

    /**
     * That nothing is known, what of the words the book lacks, and where they are asked again: with
     * them, unless they give something away.
     * @param {string} query
     * @param {Unanswered | null} asked null for a log, which is read there as a whole
     */
    notYet(query, asked) {
      const entries = Object.keys(this.data.titles).filter((name) => !(name in this.data.causes));
      const text = asked ? (lacking(asked.elsewhere) + " " + words.not_yet_words).trim() : words.whole_text;
      const kept = asked && redact(query) === query ? "?q=" + encodeURIComponent(query.trim()) : "";
      return {
        location: "diagnose/" + this.ending + kept,
        title: words.not_yet.replace("{entries}", String(entries.length)),
        text: '<p class="fb-found">' + tag("none") + "</p><p>" + escape(text) + "</p>",
      };
    }

    whole() {
      return { location: "diagnose/" + this.ending, title: words.whole, text: "<p>" + words.whole_text + "</p>" };
    }

    /**
     * The part of the line that matched, and the values it holds.
     * @param {Match} match
     */
    why(match) {
      const { text, rank } = match.line;
      const seen = this.engine.index.regex(match.pattern).exec(text);
      const from = seen ? seen.index : 0;
      const to = seen ? from + Math.min(seen[0].length, 2 * AFTER) : 0;
      const start = Math.max(0, from - BEFORE);
      const end = Math.min(text.length, to + AFTER);
      const line =
        (start ? "…" : "") +
        escape(text.slice(start, from)) +
        "<mark>" + escape(text.slice(from, to)) + "</mark>" +
        escape(text.slice(to, end)) +
        (end < text.length ? "…" : "");
      const values = labelled(match, this.data.labels).map(
        ({ label, value }) => named(escape(label + words.colon) + "<b>" + escape(value) + "</b>")
      );
      if (rank !== null) values.unshift(named("rank " + rank));
      return "<code>" + line + "</code> " + values.join(" ");
    }
  }

  /** @param {string} html */
  function named(html) {
    return '<span class="fb-found__value">' + html + "</span>";
  }

  /** @param {string} kind */
  function tag(kind) {
    return '<span class="fb-found__tag fb-found__tag--' + kind + '">' + words[kind] + "</span>";
  }

  /** @param {string[]} terms */
  function marked(terms) {
    return terms.map((term) => "<mark>" + escape(term) + "</mark>").join(" ");
  }

  return { Finder };
});
