// Everything together: what the search box, the diagnosis page and the tests call.
fixbook.define("engine", function (use) {
  "use strict";
  const { Index } = use("index");
  const { Scanner } = use("scanner");
  const { decide } = use("decide");
  const { answerOf } = use("answer");
  const { shownBy } = use("cases");
  const { SearchIndex } = use("bm25");
  const { searchOf } = use("elsewhere");
  const { limits } = use("constants");
  const { isQuestion } = use("question");
  const { rankIn, scanFile, scanText } = use("reading");
  const ENDING = 60; // lines of the end that a report carries

  class Engine {
    /** @param {IndexData} data the index file, with `asks` and `advice` where they are wanted */
    constructor(data) {
      this.index = new Index(data);
      this.scanner = new Scanner(this.index);
      this.entries = new SearchIndex(data.entries, data.elsewhere);
      this.pages = new SearchIndex(data.pages, data.elsewhere);
    }

    /**
     * @param {string} text
     * @returns {Diagnosis}
     */
    diagnose(text) {
      const scan = this.scanner.start("");
      scanText(text, scan);
      return this.byWords(decide([scan], this.index), text);
    }

    /**
     * Rank the causes of messages by the words of a question; of a log they stay as they are.
     * @param {Diagnosis} diagnosis
     * @param {string} text
     * @returns {Diagnosis}
     */
    byWords(diagnosis, text) {
      if (!isQuestion(text)) return diagnosis;
      const matches = diagnosis.matches.map((match) => ({ ...match, causes: this.entries.ordered(match.causes, text) }));
      return { ...diagnosis, matches };
    }

    /**
     * @param {string} text what was typed or pasted
     * @param {number} top
     * @returns {Ranked[]} what is near by words alone; for a log nothing is
     */
    guesses(text, top) {
      return isQuestion(text) ? this.entries.search(text, top) : [];
    }

    /**
     * @param {string} text what was typed
     * @returns {Unanswered | null} what to say where nothing answers it; null for a log
     */
    unanswered(text) {
      if (!isQuestion(text)) return null;
      const { entries } = this;
      return { elsewhere: entries.lacking(text), nearest: entries.nearest(text, limits.nearest), search: searchOf(text) };
    }

    /**
     * Recognise logs of one run.
     * @param {Log[]} logs
     * @param {Progress} progress told how many bytes were read in all
     * @param {number} top
     * @returns {Promise<Result>}
     */
    async answer(logs, progress = function () {}, top = 3) {
      const scans = [];
      const notes = [];
      let tail = "";
      let before = 0;
      for (const { name, blob } of logs) {
        const scan = this.scanner.start(name, rankIn(name));
        const read = await scanFile(blob, scan, (bytes) => progress(before + bytes));
        before += blob.size;
        scans.push(scan);
        tail = read.tail || tail;
        if (read.note) notes.push({ name, note: read.note });
      }
      const diagnosis = this.byWords(decide(scans, this.index), tail);
      const guesses = diagnosis.explained ? [] : this.guesses(tail, top);
      const answer = answerOf(diagnosis, this.index, guesses, top);
      const holds = answer.kind === "entry" ? shownBy(diagnosis.matches[0], diagnosis) : null;
      const said = answer.answer || guesses.length || (answer.exception && answer.exception.certain) ? null : this.unanswered(tail);
      return { answer, holds, asked: said && this.named(said), shown: shown(diagnosis, tail), notes };
    }

    /**
     * @param {Unanswered} said
     * @returns {Asked} with the titles of what is nearest
     */
    named(said) {
      const { titles, causes } = this.index.data;
      const nearest = said.nearest.map((name) => {
        const { title } = titles[name];
        return name in causes ? { symptom: name, title } : { slug: name, title };
      });
      return { ...said, nearest };
    }
  }

  /**
   * What the page shows besides the answer: the lines around each match, and the end of the log.
   * @param {Diagnosis} diagnosis
   * @param {string} tail
   * @returns {Result["shown"]}
   */
  function shown(diagnosis, tail) {
    return {
      matches: diagnosis.matches.map(({ owner, around, pattern, line }) => ({ owner, around, pattern, line })),
      unknown: diagnosis.unknown.map(({ around, line }) => ({ around, line })),
      tail: tail.split("\n").slice(-ENDING).join("\n"),
    };
  }

  return { Engine };
});
