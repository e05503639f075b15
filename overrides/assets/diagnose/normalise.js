// Clean a line of a log: colour codes, and the prefixes of launchers and loggers; keep the rank.
fixbook.define("normalise", function (use) {
  "use strict";
  const { slice, length } = use("text");

  const WINDOW = 64 * 1024;
  const OVERLAP = 4 * 1024;
  const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
  const S = "[ \\t\\n\\r\\f\\v]";
  const CLOCK = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d";
  const PREFIXES = new RegExp(
    [
      `\\[(?:rank|default)(?<launcher>\\d{1,6})\\]:?${S}?`, // torchrun
      `\\[(?<mpi>\\d{1,6}),\\d{1,6}\\]<std(?:out|err)>:${S}?`, // mpirun
      `(?<srun>\\d{1,5}):${S}(?=[^ \\t\\n\\r\\f\\v])`, // srun --label
      `\\((?:[\\w.]+${S})?pid=\\d+[^)]{0,80}\\)${S}?`, // Ray
      `${CLOCK}(?:[.,]\\d{1,9})?Z?${S}?(?:[\\-+]\\d\\d:?\\d\\d)?${S}?`,
      `\\[${CLOCK}[^\\]]{0,40}\\]${S}?`,
      `(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)${S}\\d\\d-\\d\\d${S}\\d\\d:\\d\\d:\\d\\d${S}` +
        `(?:\\[[^\\]]{1,60}\\]${S}?|[\\w./]{1,60}:\\d{1,6}\\]${S}?)`, // vLLM
      `[IWEF]\\d{4}${S}\\d\\d:\\d\\d:\\d\\d\\.\\d{1,9}${S}+\\d{1,9}${S}[^ \\t\\n\\r\\f\\v\\]]{1,200}:\\d{1,6}\\]${S}?`, // glog
    ].join("|"),
    "uy"
  );
  const MOST_PREFIXES = 8;

  /**
   * @param {string} raw
   * @returns {string} without colour codes
   */
  function withoutEscapes(raw) {
    return raw.includes("\x1b") ? raw.replace(ESCAPES, "") : raw;
  }

  /**
   * Take colour codes and prefixes off one line.
   * @param {string} raw
   * @returns {{text: string, rank: number | null}}
   */
  function cleanLine(raw) {
    let text = withoutEscapes(raw);
    let rank = null;
    for (let round = 0; round < MOST_PREFIXES; round++) {
      PREFIXES.lastIndex = 0;
      const prefix = PREFIXES.exec(text);
      if (!prefix) break;
      const { launcher, mpi, srun } = prefix.groups;
      const named = launcher || mpi || srun;
      if (named && rank === null) rank = Number(named);
      text = text.slice(prefix[0].length);
    }
    return { text, rank };
  }

  /**
   * Cut a very long line into windows that overlap.
   * @param {string} text
   * @returns {string[]}
   */
  function windows(text) {
    if (text.length <= WINDOW) return [text];
    const total = length(text);
    if (total <= WINDOW) return [text];
    const points = total === text.length ? text : Array.from(text);
    const found = [];
    for (let start = 0; start < total; start += WINDOW - OVERLAP) {
      const part = points.slice(start, start + WINDOW);
      found.push(typeof part === "string" ? part : part.join(""));
    }
    return found;
  }

  return { cleanLine, windows, slice };
});
