// Split a text into weighted tokens: identifiers whole and in parts, Han text as bigrams.
fixbook.define("tokens", function (use) {
  "use strict";
  const { cleanLine } = use("normalise");
  const { strip } = use("text");

  const PART_WEIGHT = 0.4;
  const HAN_WEIGHT = 0.7;
  const WORD = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*|[\u3400-\u9fff]+/g;
  const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
  const HEX = /0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b/g;
  const FRAME = /^[ \t\n\r\f\v]*File "[^"]*[/\\]([^"/\\]+)", line \d+, in ([^ \t\n\r\f\v]+)/;
  const PATH = /(?:[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]/g;
  const HAN = /^[\u3400-\u9fff]/;
  const STOP = new Set(
    ("a an and are as at be by for from has have how if in is it its not of on or that the this to" +
      " was what when which why will with you your file line most recent call last traceback").split(" ")
  );

  /**
   * @param {string} text a query or a document
   * @returns {[string, number][]} lower-case tokens with their weights
   */
  function tokensOf(text) {
    const found = [];
    for (const word of text.replace(HEX, " ").match(WORD) || []) {
      if (HAN.test(word)) {
        for (let at = 0; at < Math.max(1, word.length - 1); at++) found.push([word.slice(at, at + 2), HAN_WEIGHT]);
        continue;
      }
      const whole = word.toLowerCase().replace(/^_+|_+$/g, "");
      if (whole.length > 1 && !STOP.has(whole)) found.push([whole, 1]);
      const parts = word.match(PART) || [];
      if (parts.length < 2) continue;
      for (const part of parts.map((one) => one.toLowerCase())) {
        if (part.length > 1 && !/^[0-9]+$/.test(part) && !STOP.has(part)) found.push([part, PART_WEIGHT]);
      }
    }
    return found;
  }

  /**
   * Take what is not the error off a pasted text: prefixes, paths, line numbers of frames.
   * @param {string} text
   * @returns {string} the text itself if nothing would be left
   */
  function cleanQuery(text) {
    const lines = text.split(/\r\n|[\r\n]/).map((raw) => {
      const line = cleanLine(raw).text;
      const frame = FRAME.exec(line);
      return frame ? frame[1] + " " + frame[2] : line.replace(PATH, "");
    });
    return strip(lines.join("\n")) || text;
  }

  return { tokensOf, cleanQuery };
});
