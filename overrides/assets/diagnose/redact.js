// Take out of a log what says whose it is: tokens, addresses, host names, user names, folders.
// The table is that of fixbook/log/redact.py, which has the same few functions.
fixbook.define("redact", function (use) {
  "use strict";
  const { redaction } = use("constants");

  const [KNOWN_HOSTS, LOCAL, PACKAGES, SYSTEM] = [
    redaction.knownHosts, redaction.local, redaction.packages, redaction.system,
  ].map((pattern) => new RegExp(pattern, "u"));
  const KEYS = new RegExp(redaction.key, "gu");

  /** @type {Record<string, (...parts: string[]) => string>} */
  const FUNCTIONS = {
    "citizen()": citizen,
    "phone()": (all, size, number) => (size !== undefined || Number(number) % redaction.memory === 0 ? all : "<phone>"),
    "hosts()": (_all, before, hosts) => before + hosts.replace(KEYS, "$1<host>$1"),
    "ip()": (all) => (LOCAL.test(all) ? all : "<ip>"),
    "host()": (all) => host(all),
    "address()": address,
    "path()": path,
  };
  const RULES = redaction.rules.map(({ pattern, by }) => ({
    regex: new RegExp(pattern, "gu"),
    by: Object.hasOwn(FUNCTIONS, by) ? FUNCTIONS[by] : by.replaceAll("\\1", "$1"),
  }));

  /**
   * A number of eighteen digits is that of a person if its last one checks the others.
   * @param {string} all
   */
  function citizen(all) {
    const total = redaction.weights.reduce((sum, weight, at) => sum + weight * Number(all[at]), 0);
    return all[17].toUpperCase() === redaction.checks[total % 11] ? "<id>" : all;
  }

  /** @param {string} name */
  function host(name) {
    return name.startsWith("<") || KNOWN_HOSTS.test(name) ? name : "<host>";
  }

  /**
   * @param {string} all
   * @param {string} scheme
   * @param {string} name
   */
  function address(all, scheme, name, port = "", rest = "") {
    const known = host(name) === name && !name.startsWith("<");
    if (scheme === "file://" || known) return all;
    return scheme + host(name) + port + (rest.length > 1 ? "/<path>" : rest);
  }

  /**
   * Folders go, what the file belongs to stays.
   * @param {string} all
   */
  function path(all) {
    const parts = all.split(/[\\/]/);
    const packages = parts.findIndex((part) => PACKAGES.test(part));
    const own = Math.max(...redaction.libraries.map((name) => parts.slice(0, -1).lastIndexOf(name)));
    if (packages >= 0 || own >= 0) return "<path>/" + parts.slice(packages >= 0 ? packages : own).join("/");
    return SYSTEM.test(all) ? all : "<path>/" + parts[parts.length - 1];
  }

  /**
   * @param {string} text
   * @returns {string} to be read by a person before it is sent anywhere
   */
  function redact(text) {
    return RULES.reduce((left, { regex, by }) => (typeof by === "string" ? left.replace(regex, by) : left.replace(regex, by)), text);
  }

  return { redact };
});
