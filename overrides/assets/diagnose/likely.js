// The line that reads most like a failure, in a log that prints no exception.
fixbook.define("likely", function (use) {
  "use strict";
  const { strip } = use("text");
  const { feeds } = use("chunks");
  const { cleanLine, partsOf } = use("normalise");
  const { isQuestion } = use("question");
  const { inData, isCode, isTriedAgain } = use("quoted");
  const { versionsOf } = use("versions");
  const { limits, patterns } = use("constants");

  const [LIKELY, NAMED, WARNING] = [patterns.likely, patterns.named, patterns.warning].map(
    (pattern) => new RegExp(pattern, "u"));
  const [FRAME, ASIDE, RAISES] = [patterns.tracebackFrame, patterns.aside, patterns.raises].map(
    (pattern) => new RegExp("^(?:" + pattern + ")", "u"));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * @param {Scan} scan of a log without exceptions
   * @returns {Card | null} the line at its end that reads most like a failure
   */
  function likelyOf(scan) {
    const from = Math.max(0, scan.tail.length - limits.context);
    const tail = decoder.decode(scan.tail.subarray(from));
    const first = scan.before + 1 + feeds(scan.tail, 0, from);
    const raw = tail.split("\n");
    const lines = raw.flatMap((text, at) =>
      partsOf(text).map(cleanLine)
        .filter((one) => strip(one.text) && !scan.quoted.has(first + at))
        .map((one) => ({ number: first + at, ...one, rank: one.rank === null ? scan.rank : one.rank })));
    const best = Math.max(0, ...lines.map(({ text }) => likeness(text)));
    if (!lines.length) return null;
    const last = best ? null : brokenOff(lines);
    if (!best && !last && (lines.length > limits.fewLines || isQuestion(tail))) return null;
    const line = last || lines.filter(({ text }) => likeness(text) === best).pop();
    if (!line) return null;
    const versions = versionsOf(decoder.decode(scan.head), tail, []);
    return {
      line: { number: line.number, text: line.text, rank: line.rank }, source: scan.source, kind: "", certain: false,
      cause: null, user: null, frame: null, library: "", libraries: [], before: null, versions,
    };
  }

  /**
   * @template {{text: string}} Line
   * @param {Line[]} lines
   * @returns {Line | null} the source line that raises, where a log ends with it or with what continues it
   */
  function brokenOff(lines) {
    for (const line of lines.slice().reverse()) {
      if (RAISES.test(line.text)) return line;
      if (!line.text.startsWith(" ")) return null;
    }
    return null;
  }

  /** @param {string} text */
  function likeness(text) {
    if (FRAME.test(text) || ASIDE.test(text) || isCode(text) || inData(text, text.length)) return 0;
    if (NAMED.test(text)) return 3;
    if (!LIKELY.test(text)) return 0;
    return WARNING.test(text) || isTriedAgain(text) ? 1 : 2;
  }

  return { likelyOf };
});
