// The exception that a log is about: where it was raised, what caused it, what ran before.
fixbook.define("exception", function (use) {
  "use strict";
  const { versionsOf } = use("versions");
  const { linesOfRank, tracebacksOf } = use("traceback");
  const { libraryOf } = use("libraries");
  const { libraries, limits, patterns } = use("constants");

  const ERROR = new RegExp(patterns.error, "u");
  const [KIND, WRAPPERS] = [patterns.kind, patterns.wrappers].map((pattern) => new RegExp("^(?:" + pattern + ")", "u"));

  /**
   * An error with the tracebacks that its rank printed up to it.
   * @typedef {{when: When, hit: Hit, before: Traceback[]}} Chain
   */

  /**
   * Choose the exception that a log is about, and tell what is known of it.
   * @param {Placed[]} errors that no pattern matched, in their order
   * @param {Placed | null} noticed the first line of a message that only notices a failure
   * @param {Map<string, string>} heads the beginning of each log
   * @returns {Card | null} the last of its chain; null if the message says more
   */
  function headlineOf(errors, noticed, heads) {
    const chains = errors.slice(0, limits.chains).map(chainOf);
    let own = chains.filter(({ hit }) => !WRAPPERS.test(hit.line.text));
    if (noticed) own = own.filter((chain) => before(chain, noticed));
    else if (!own.length) own = chains;
    if (!own.length) return null;
    let chosen = own.find(raised) || own[0];
    for (const later of own.slice(own.indexOf(chosen) + 1)) {
      if (follows(later, chosen.hit)) chosen = later;
    }
    return cardOf(chosen, chains, heads.get(chosen.hit.source) || "");
  }

  /**
   * Whether an error is no consequence of what noticed a failure: it came before or from elsewhere, or
   * its traceback is printed right below.
   * @param {Chain} chain
   * @param {Placed} noticed
   */
  function before(chain, { when, hit }) {
    if (earlier(chain.when, when) || elsewhere(chain.hit, hit)) return true;
    if (chain.before[chain.before.length - 1].inner && follows(chain, hit)) return true;
    const [first] = causesOf(chain);
    return first.opened === hit.line.text || (first.before !== null && first.before.text === hit.line.text);
  }

  /**
   * @param {Hit} hit
   * @param {Map<string, string>} heads
   * @returns {Card | null} null if the line is no exception's
   */
  function cardOfHit(hit, heads) {
    if (!ERROR.test(hit.line.text)) return null;
    return cardOf(chainOf({ when: [0, 0, 0], hit }), [], heads.get(hit.source) || "");
  }

  /**
   * @param {Placed} placed
   * @returns {Chain}
   */
  function chainOf({ when, hit }) {
    return { when, hit, before: tracebacksOf([...linesOfRank(hit.context, hit.line), hit.line]) };
  }

  /**
   * @param {Chain} chain
   * @returns {Traceback[]} the traceback of the error after those that it follows from
   */
  function causesOf({ before }) {
    let first = before.length - 1;
    while (first > 0 && before[first].linked) first -= 1;
    return before.slice(first);
  }

  /**
   * Whether a traceback was printed that Python did not just report and ignore.
   * @param {Chain} chain
   */
  function raised({ before }) {
    const last = before[before.length - 1];
    return last.frames.length > 0 && !last.ignored;
  }

  /**
   * Whether an error was raised in the handling of an earlier one, or is quoted below it.
   * @param {Chain} later
   * @param {Hit} hit the earlier one
   */
  function follows(later, hit) {
    const last = later.before[later.before.length - 1];
    const above = last.inner ? later.before.slice(-2, -1) : causesOf(later).slice(0, -1);
    return sameProcess(later.hit, hit) && above.some(({ error }) => error !== null && error.text === hit.line.text);
  }

  /**
   * @param {Hit} one
   * @param {Hit} other
   */
  function sameProcess(one, other) {
    return one.source === other.source && one.line.rank === other.line.rank;
  }

  /**
   * Whether two lines are known to be of different processes.
   * @param {Hit} error
   * @param {Hit} noticed
   */
  function elsewhere(error, noticed) {
    const ranks = [error.line.rank, noticed.line.rank];
    return error.source !== noticed.source || (!ranks.includes(null) && ranks[0] !== ranks[1]);
  }

  /**
   * @param {When} one
   * @param {When} other
   */
  function earlier(one, other) {
    const at = one.findIndex((part, number) => part !== other[number]);
    return at >= 0 && one[at] < other[at];
  }

  /**
   * @param {Chain} chain
   * @param {Chain[]} others
   * @param {string} head
   * @returns {Card}
   */
  function cardOf(chain, others, head) {
    const { hit } = chain;
    const parts = causesOf(chain);
    const first = parts.length > 1 ? parts[0].error : null;
    const same = others.find((other) => first && other.hit.line.text === first.text && sameProcess(other.hit, hit));
    const frames = parts.flatMap((part) => part.frames);
    const named = frames.slice().reverse().map((frame) => ({ frame, library: libraryOf(frame.file) }));
    const installed = named.filter(({ library }) => library && library !== "python");
    const deepest = installed[0];
    const own = named.find(({ library }) => !library);
    const kind = (KIND.exec(hit.line.text) || ["", ""])[1];
    const module = kind.split(".")[0];
    return {
      line: hit.line,
      source: hit.source,
      kind,
      certain: true,
      cause: same ? same.hit.line : first,
      user: own ? own.frame : null,
      frame: deepest ? deepest.frame : null,
      library: deepest ? deepest.library : Object.hasOwn(libraries, module) ? module : "",
      libraries: [...new Set(installed.map(({ library }) => library))],
      before: parts[0].before,
      versions: versionsOf(head, hit.context.before, frames),
    };
  }

  return { headlineOf, cardOfHit };
});
