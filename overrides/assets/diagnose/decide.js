// Decide which entry a log, or a set of per-rank logs, belongs to: a specific signature beats a
// shared symptom, the earliest beats the later, and a mere consequence comes after; one that only
// echoes the end of another process is named last.
fixbook.define("decide", function () {
  "use strict";

  /**
   * @typedef {object} Finding
   * @property {string} owner
   * @property {string} signature
   * @property {boolean} specific
   * @property {boolean} secondary
   * @property {boolean} echo
   * @property {{number: number, text: string, rank: number | null}} line
   * @property {string} source
   * @property {Object<string, string>} captures
   * @property {string[]} causes
   * @property {number[]} ranks
   */

  /**
   * @param {import("./scan.js").Scan[]} scans one per log
   * @param {import("./index.js").Index} index
   * @returns {{findings: Finding[], unknown: object[], lines: number}}
   */
  function decide(scans, index) {
    const found = new Set(scans.flatMap((scan) => [...scan.found]));
    const timed = scans.every((scan) => [...scan.hits, ...scan.errors].every((hit) => hit.moment !== null));
    const allowed = scans.map((scan) =>
      scan.hits.filter(({ matcher }) => {
        const { context, unless } = index.matchers[matcher];
        return context.every((p) => found.has(p)) && !unless.some((p) => found.has(p));
      })
    );
    /** @type {Map<string, import("./scan.js").Hit[]>} */
    const byOwner = new Map();
    for (const hit of ordered(allowed, timed)) {
      const { specific, owner } = index.matchers[hit.matcher];
      const key = specific + "/" + owner;
      if (!byOwner.has(key)) byOwner.set(key, []);
      byOwner.get(key).push(hit);
    }
    const findings = [...byOwner.values()].map((hits) => finding(hits, index));
    findings.sort((a, b) => standing(a) - standing(b));
    const errors = ordered(scans.map((scan) => scan.errors), timed);
    const unknown = new Map();
    for (const error of errors) if (!unknown.has(error.line.text)) unknown.set(error.line.text, error);
    return {
      findings,
      unknown: [...unknown.values()].slice(0, 10),
      lines: scans.reduce((sum, scan) => sum + scan.lines, 0),
    };
  }

  /** A cause before a consequence, a consequence before an echo. */
  function standing({ specific, secondary, echo }) {
    return specific ? 0 : 1 + Number(secondary) + Number(echo);
  }

  /** Hits of several logs in their order; times count only where every hit has one. */
  function ordered(lists, timed) {
    const all = lists.flatMap((hits, number) =>
      hits.map((hit) => ({ hit, key: [timed ? hit.moment : 0, hit.line.number, number] }))
    );
    all.sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.key[2] - b.key[2]);
    return all.map(({ hit }) => hit);
  }

  function finding(hits, index) {
    const first = hits[0];
    const matcher = index.matchers[first.matcher];
    const ranks = new Set(hits.map((hit) => hit.line.rank).filter((rank) => rank !== null));
    return {
      owner: matcher.owner,
      signature: matcher.name,
      specific: matcher.specific,
      secondary: matcher.secondary,
      echo: matcher.echo,
      pattern: matcher.pattern,
      line: first.line,
      source: first.source,
      around: first.around,
      captures: captured(hits, first),
      causes: matcher.specific ? [] : index.causes[matcher.owner] || [],
      ranks: [...ranks].sort((a, b) => a - b),
    };
  }

  /** Values of the deciding line, completed from other signatures on the same rank. */
  function captured(hits, first) {
    let captures = { ...first.captures };
    for (const hit of hits) {
      if (hit.source === first.source && hit.line.rank === first.line.rank) {
        captures = { ...hit.captures, ...captures };
      }
    }
    return captures;
  }

  return { decide };
});
