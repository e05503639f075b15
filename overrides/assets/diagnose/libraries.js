// How a path of a traceback names the library that it belongs to.
fixbook.define("libraries", function (use) {
  "use strict";
  const { libraries, patterns } = use("constants");

  const [PACKAGES, STANDARD, EGG] = [patterns.packages, patterns.standard, patterns.egg].map(
    (pattern) => new RegExp(pattern, "u"));

  /**
   * @param {string} path as a traceback prints it
   * @returns {string} `python` for the standard library, nothing for the user's own file
   */
  function libraryOf(path) {
    const installed = PACKAGES.exec(path);
    if (installed) {
      const egg = EGG.exec(installed[1]);
      return (egg ? egg[1] : installed[1]).replace(/\.py$/, "");
    }
    const parts = path.split(/[\\/]/).filter((part) => part && part !== ".");
    for (let at = parts.length - 2; at >= 0; at--) {
      if (Object.hasOwn(libraries, parts[at]) && isPackage(parts, at)) return parts[at];
    }
    return STANDARD.test(path) ? "python" : "";
  }

  /**
   * Whether a folder is the package itself, and not a project that is called like it.
   * @param {string[]} parts
   * @param {number} at
   */
  function isPackage(parts, at) {
    return at === 0 || ["src", "python", parts[at]].includes(parts[at - 1].toLowerCase());
  }

  return { libraryOf };
});
