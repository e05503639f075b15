// Tell a configuration from a log, so that a paste goes to the right reader.
fixbook.define("kind", function (use) {
  "use strict";
  const { patterns } = use("constants");

  const NAMES = /\.(?:ya?ml|json|py|sh|bash)$/i;
  const LARGEST = 1024 * 1024;
  // A key of YAML; names of exceptions and dates have the form of one.
  const KEY = /^\s*(?:-\s+)?["']?([a-z_][\w/-]*)["']?:(?:\s|$)/;
  const ITEM = /^\s*(?:-\s|---|[\]}],?$)/;
  const FAILURE = /(?:Error|Exception|Traceback|Warning|FAILED|CRITICAL)\b|\d\d:\d\d:\d\d|command not found|can't open file|^usage: /;
  const CALL = /\b[A-Z]\w*(?:Arguments|Config)\(|(?:^|= ?)\w*Trainer\(/m;
  // As a script begins; the lines of a traceback are indented.
  const IMPORT = /^from [\w.]+ import (?:\($|\w+(?: as \w+)?(?:, *\w+(?: as \w+)?)*,?\s*(?:#.*)?$)/;
  const FLAG = /^\s*(?:--[a-z][\w.-]*|\+{0,2}[a-z]\w*(?:\.\w+)+=)/;
  const COMMAND = /^\s*(?:export \w+=|\w+=\S|(?:\w+=\S+ )*(?:\S*python\S*|torchrun|deepspeed|accelerate|ray|srun)\s)/;
  const PROMPT = new RegExp(patterns.prompt, "u");
  const LAUNCH = new RegExp(patterns.launch, "u");
  const REPLY = /^\s*\{\s*"(?:error|detail|message|object|code)"\s*:/; // what a server answers
  const HAN = /[\u3400-\u9fff]/;
  const MOSTLY = 0.8;

  /**
   * @param {string} text
   * @returns {boolean} true for YAML, JSON, a command line, a call with settings or a script's imports
   */
  function isConfig(text) {
    if (!text.trim() || text.length > LARGEST) return false;
    if (/^\s*\{/.test(text)) return !REPLY.test(text) && parses(text);
    const lines = text.split("\n").filter((line) => line.trim() && !/^\s*#/.test(line));
    if (lines.some((line) => FAILURE.test(line))) return false;
    if (CALL.test(text) || IMPORT.test(lines[0] || "")) return true;
    if (lines.length === 1 && isLaunch(lines[0])) return true;
    return isYaml(lines) || isCommand(lines);
  }

  /** @param {string} text */
  function parses(text) {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return /^\s*\{\s*"\w+"\s*:/.test(text) && !FAILURE.test(text);
    }
  }

  /**
   * Many lines with one and the same key are a log whose lines have a prefix.
   * @param {string[]} lines
   */
  function isYaml(lines) {
    const keys = lines.flatMap((line) => (KEY.exec(line) || []).slice(1));
    const items = lines.filter((line) => !KEY.test(line) && ITEM.test(line)).length;
    const several = new Set(keys).size > 1 || lines.length === 1;
    return several && keys.length > 0 && keys.length + items >= MOSTLY * lines.length;
  }

  /** @param {string} line */
  function isLaunch(line) {
    const command = line.trim().replace(PROMPT, "");
    return !HAN.test(command) && LAUNCH.test(command);
  }

  /** @param {string[]} lines */
  function isCommand(lines) {
    if (lines.length === 1 && HAN.test(lines[0])) return false; // somebody asks about a command
    const flags = lines.filter((line) => FLAG.test(line) || /\s--[a-z][\w.-]+/.test(line)).length;
    /** @param {string} line */
    const fits = (line) => FLAG.test(line) || COMMAND.test(line) || /\\\s*$/.test(line);
    return flags > 0 && lines.filter(fits).length >= MOSTLY * lines.length;
  }

  /** @param {string} name of a file */
  function isConfigName(name) {
    return NAMES.test(name);
  }

  return { isConfig, isConfigName };
});
