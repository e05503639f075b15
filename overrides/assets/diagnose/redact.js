// Take out of a log what says whose it is: tokens, addresses, host names, user names, folders.
// The table is that of fixbook/log/redact.py, which has the same few functions.
fixbook.define("redact", function (use) {
  "use strict";
  const { redaction } = use("constants");

  const [KNOWN_HOSTS, NO_SECRET, LOCAL, PACKAGES, SYSTEM] = [
    redaction.knownHosts, redaction.noSecret, redaction.local, redaction.packages, redaction.system,
  ].map((pattern) => new RegExp(pattern, "u"));

  /** @type {Record<string, (...parts: string[]) => string>} */
  const FUNCTIONS = {
    "secret()": (all, name) => (NO_SECRET.test(all) ? all : name + "<token>"),
    "ip()": (all) => (LOCAL.test(all) ? all : "<ip>"),
    "host()": (all) => host(all),
    "address()": address,
    "path()": path,
  };
  const RULES = redaction.rules.map(({ pattern, by }) => ({
    regex: new RegExp(pattern, "gu"),
    by: Object.hasOwn(FUNCTIONS, by) ? FUNCTIONS[by] : by.replace("\\1", "$1"),
  }));

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
