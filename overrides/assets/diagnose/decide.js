// Decide which entry a log, or a set of per-rank logs, belongs to: a specific signature beats a
// shared symptom, the earliest beats the later, and a mere consequence comes after; one that only
// echoes the end of another process is named last.
fixbook.define("decide", function (use) {
  "use strict";
  const { disagreements } = use("across");
  const { secondScans } = use("second");
  const { cardOfHit, headlineOf } = use("exception");
  const { Below } = use("going_on");
  const { likelyOf } = use("likely");
  const { tellingOf, withoutCode } = use("telling");
  const { limits, patterns } = use("constants");
  const ERROR = new RegExp(patterns.error, "u");
  const SEEN = /(?:^|[/\\])seen\.log$/u; // by `fixbook watch`, as a run ended
  const LAST = 2 ** 53; // after any moment
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * Where no entry was recognised, the ends of the logs are read once more, less strictly: an entry
   * found there counts, a message only where there was none.
   * @param {Scan[]} scans one per log
   * @param {Index} index
   * @returns {Diagnosis}
   */
  function decide(scans, index) {
    const first = decided(scans, index);
    if (first.matches.length && first.matches[0].specific) return first;
    const second = decided(secondScans(scans, index), index);
    if (first.matches.length) return second.matches.length && second.matches[0].specific ? second : first;
    return second.matches.length || !first.unknown.length ? second : first;
  }

  /**
   * @param {Scan[]} scans
   * @param {Index} index
   * @returns {Diagnosis}
   */
  function decided(scans, index) {
    const found = new Set(scans.flatMap((scan) => [...scan.found]));
    const timed = scans.every((scan) => [...scan.hits, ...scan.errors].every((hit) => hit.moment !== null));
    const counts = disagreements(scans.flatMap((scan) => scan.hits), index);
    const allowed = scans.map((scan) =>
      scan.hits.filter((hit) => {
        const { context, unless } = index.matchers[hit.matcher];
        return counts(hit) && context.every((p) => found.has(p)) && !unless.some((p) => found.has(p));
      })
    );
    const unexplained = unexplainedOf(scans, allowed);
    const unknownErrors = unexplained.some((hits) => hits.length > 0);
    const groups = byOwner(withoutCode(ordered(allowed, timed), index, unknownErrors), index);
    const below = new Below(scans, index, unexplained);
    const standings = new Map(groups.map((group) => [group, standing(group, below, index)]));
    groups.sort((a, b) => Number(standings.get(a)) - Number(standings.get(b)));
    const matches = groups.map((placed) => matchOf(placed.map(({ hit }) => hit), index));
    const errors = ordered(unexplained, timed);
    /** @type {Map<string, Hit>} */
    const unknown = new Map();
    for (const { hit } of errors) if (!unknown.has(hit.line.text)) unknown.set(hit.line.text, hit);
    const { exception, explained } = exceptionOf(scans, groups.length ? groups[0] : null, errors, below, index);
    return {
      matches,
      unknown: [...unknown.values()].slice(0, limits.unknown),
      lines: scans.reduce((sum, scan) => sum + scan.lines, 0),
      exception,
      explained,
      found,
      goesOn: goesOn(explained ? groups[0] : null, exception, below),
    };
  }

  /**
   * @param {Scan[]} scans
   * @param {Hit[][]} allowed the hits of each that count
   * @returns {Hit[][]} the errors of each log that no pattern matched, or none whose conditions this run meets
   */
  function unexplainedOf(scans, allowed) {
    return scans.map((scan, at) => {
      const explained = new Set(allowed[at].map(({ line }) => line.number));
      /** @type {Map<number, Hit>} */
      const lost = new Map();
      for (const hit of scan.hits) {
        const { number, text } = hit.line;
        if (!hit.code && !explained.has(number) && !lost.has(number) && ERROR.test(text)) lost.set(number, hit);
      }
      return [...scan.errors, ...lost.values()];
    });
  }

  /**
   * @param {Placed[] | null} best
   * @param {Card | null} exception
   * @param {Below} below
   * @returns {GoesOn | null} the steps that are counted below what the answer is about
   */
  function goesOn(best, exception, below) {
    if (best) return below.hits(best.map(({ hit }) => hit));
    return exception && exception.certain ? below.error(exception.source) : null;
  }

  /**
   * The exception that the answer is about, and whether the best match explains it.
   * @param {Scan[]} scans
   * @param {Placed[] | null} best its hits
   * @param {Placed[]} errors
   * @param {Below} below
   * @param {Index} index
   * @returns {{exception: Card | null, explained: boolean}}
   */
  function exceptionOf(scans, best, errors, below, index) {
    const heads = new Map([...scans].reverse().map(({ source, head }) => [source, decoder.decode(head)]));
    if (!best) {
      const ended = endedBy(errors, below);
      const likely = errors.length || !scans.length ? null : likelyOf(scans[scans.length - 1]);
      return { exception: headlineOf(ended.length ? ended : errors, null, heads) || likely, explained: false };
    }
    if (below.gotOver(best.map(({ hit }) => hit))) {
      const ended = headlineOf(endedBy(errors, below), null, heads);
      if (ended) return { exception: ended, explained: false };
    }
    const card = index.matchers[best[0].hit.matcher].secondary ? headlineOf(errors, best[0], heads) : null;
    return { exception: card || cardOfHit(tellingOf(best.map(({ hit }) => hit), index), heads), explained: !card };
  }

  /**
   * @param {Placed[]} errors
   * @param {Below} below
   * @returns {Placed[]} those of logs that count no steps below them: a rank that got over its own ended nothing
   */
  function endedBy(errors, below) {
    return errors.filter(({ hit }) => !below.error(hit.source));
  }

  /**
   * @param {Placed[]} hits
   * @param {Index} index
   * @returns {Placed[][]} those of one entry or message together, in the order of the first of each
   */
  function byOwner(hits, index) {
    /** @type {Map<string, Placed[]>} */
    const groups = new Map();
    for (const placed of hits) {
      const { specific, owner } = index.matchers[placed.hit.matcher];
      const key = specific + "/" + owner;
      const group = groups.get(key);
      if (group) group.push(placed);
      else groups.set(key, [placed]);
    }
    return [...groups.values()];
  }

  /**
   * What ended the run before what it got over, a cause before a consequence, that before an echo.
   * @param {Placed[]} placed
   * @param {Below} below
   * @param {Index} index
   */
  function standing(placed, below, index) {
    const { specific, secondary, echo } = index.matchers[placed[0].hit.matcher];
    const over = below.gotOver(placed.map(({ hit }) => hit));
    return (over ? 8 : 0) + (specific ? 0 : 1 + Number(secondary) + Number(echo));
  }

  /**
   * Hits of several logs in their order; times count only where every hit has one. How processes were
   * seen to end comes after all that they have printed, though it has a file.
   * @param {Hit[][]} lists
   * @param {boolean} timed
   * @returns {Placed[]}
   */
  function ordered(lists, timed) {
    /** @param {Hit} hit */
    const moment = (hit) => (SEEN.test(hit.source) ? LAST : (timed && hit.moment) || 0);
    const all = lists.flatMap((hits, number) =>
      hits.map((hit) => ({ hit, when: /** @type {When} */ ([moment(hit), hit.line.number, number]) })));
    return all.sort((a, b) => a.when[0] - b.when[0] || a.when[1] - b.when[1] || a.when[2] - b.when[2]);
  }

  /**
   * @param {Hit[]} hits of one entry or message
   * @param {Index} index
   * @returns {Match}
   */
  function matchOf(hits, index) {
    const first = tellingOf(hits, index);
    const { owner, name, specific, secondary, echo, pattern } = index.matchers[first.matcher];
    const { line, source, around } = first;
    /** @type {Set<number>} */
    const ranks = new Set();
    for (const hit of hits) if (hit.line.rank !== null) ranks.add(hit.line.rank);
    return {
      owner,
      signature: name,
      specific,
      secondary,
      echo,
      pattern,
      line,
      source,
      around,
      captures: captured([first, ...hits], index),
      causes: specific ? [] : index.causes[owner] || [],
      ranks: [...ranks].sort((a, b) => a - b),
    };
  }

  /**
   * Values of the deciding line, completed from other signatures on the same rank.
   * @param {Hit[]} hits
   * @param {Index} index
   * @returns {Capture[]}
   */
  function captured(hits, index) {
    const { source, line } = hits[0];
    /** @type {Map<string, Capture>} */
    const captures = new Map();
    for (const hit of hits) {
      if (hit.source !== source || hit.line.rank !== line.rank) continue;
      const signature = index.matchers[hit.matcher].name;
      for (const [name, value] of Object.entries(hit.captures)) {
        if (!captures.has(name)) captures.set(name, { signature, name, value });
      }
    }
    return [...captures.values()];
  }

  return { decide };
});
