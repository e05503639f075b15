// Take out of a log what says whose it is: tokens, addresses, host names, user names, folders.
fixbook.define("redact", function () {
  "use strict";

  // Where one of these is the last such folder, what follows is the library's, not the user's.
  const LIBRARIES = ["accelerate", "axolotl", "deepspeed", "peft", "torch", "transformers", "trl", "verl", "vllm"];
  const KNOWN_HOSTS = /(?:^|\.)(?:github\.com|githubusercontent\.com|huggingface\.co|hf\.co|pytorch\.org|python\.org|nvidia\.com|readthedocs\.io|localhost)$/i;
  const HOST_ENDING = "(?:com|net|org|edu|gov|io|ai|cn|de|uk|fr|eu|jp|kr|ru|ch|in|dev|cloud|local|localdomain|internal|intranet|corp|lan|cluster|svc|home)";
  /** @type {[RegExp, string | ((...parts: string[]) => string)][]} in this order */
  const RULES = [
    [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "<private key>"],
    [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, "<token>"],
    [/\b(?:hf_|sk-|pk-|rk-|gh[opusr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|nvapi-|dckr_pat_)[\w-]{8,}/g, "<token>"],
    [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, "$1 <token>"],
    [
      /((?:(?:api|access|secret|private|auth|ssh|license)[_-]?key|token|secret|passwd|password|pwd|credential)s?["']?\s{0,3}[=:]\s{0,3})(?:"[^"\n]*"|'[^'\n]*'|(?![<\s])[^\s,;)}\]]{6,})/gi,
      (all, name) => (/(?:tokenizer|_token_id|keyerror|max_tokens|pad_token)/i.test(all) ? all : name + "<token>"),
    ],
    [/\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{40}\b/g, "<token>"],
    [/(?<!\w)(\w{1,20}:\/\/)[^\s/@:]{1,100}(?::[^\s/@]{0,200})?@/g, "$1"],
    [/(?<![\w.+-])[\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+/g, "<email>"],
    [/(?<![\w.-])[A-Za-z][\w.-]{0,100}@[A-Za-z][\w-]{0,100}(?=[:\s]|$)/gm, "<user>@<host>"],
    [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)/g, (ip) => (/^(?:127\.|0\.0\.0\.0)/.test(ip) ? ip : "<ip>")],
    [/(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3})(?::[0-9a-f]{1,4}){0,6}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)(?![\w:])/gi, "<ip>"],
    [/\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/gi, "<mac>"],
    [/^(\s*(?:\[[^\]]*\]:?\s*)?)[A-Za-z][\w.-]*(?=:\d+:\d+ \[\d+\] NCCL )/gm, "$1<host>"],
    [/\b((?:host(?:_?name)?|node(?:_?name|list)?|master_addr|nodelist|rdzv_endpoint|server)["']?\s*[=:]\s*["']?)(?!<|None\b|localhost\b|127\.)[A-Za-z][\w.[\]-]*/gi, "$1<host>"],
    [new RegExp("(?<![\\w/@.-])(?:[A-Za-z0-9](?:[\\w-]*[A-Za-z0-9])?\\.)+" + HOST_ENDING + "(?![\\w(-]|\\.\\w)", "gi"), host],
    [/(?<!\w)(\w{1,20}:\/\/)((?:[\w-]+\.)*[\w-]+|<host>|<ip>)(:\d+)?(\/[^\s"'<>]*)?/g, address],
    [/(?<![\w/])~(?:[\w.-]*)?\/[^\s"'<>|:*?,;()]+/g, path],
    [/(?<![\w.<>/])(?:[A-Za-z]:)?(?:[\\/](?:[^\s\\/"'<>|:*?,;()[\]{}]| (?=[^\s\\/"':,]*[\\/]))+){2,}/g, path],
  ];

  /** @param {string} name */
  function host(name) {
    return KNOWN_HOSTS.test(name) || name === "<ip>" || name.startsWith("<") ? name : "<host>";
  }

  /**
   * @param {string} all
   * @param {string} scheme
   * @param {string} name
   */
  function address(all, scheme, name, port = "", rest = "") {
    if (scheme === "file://") return all;
    return host(name) === name && !name.startsWith("<") ? all : scheme + host(name) + port + (rest.length > 1 ? "/<path>" : rest);
  }

  /**
   * Folders go, what the file belongs to stays.
   * @param {string} all
   */
  function path(all) {
    const parts = all.split(/[\\/]/);
    const at = parts.findIndex((part) => /^(?:site-packages|dist-packages)$/.test(part));
    const own = Math.max(...LIBRARIES.map((name) => parts.slice(0, -1).lastIndexOf(name)));
    if (at < 0 && own >= 0) return "<path>/" + parts.slice(own).join("/");
    if (at >= 0) return "<path>/" + parts.slice(at).join("/");
    if (/^\/(?:proc|sys|dev|usr\/lib|usr\/local\/(?:lib|cuda)[^/]*)(?:\/|$)/.test(all)) return all;
    return "<path>/" + parts[parts.length - 1];
  }

  /**
   * @param {string} text
   * @returns {string} to be read by a person before it is sent anywhere
   */
  function redact(text) {
    return RULES.reduce((left, [pattern, by]) => (typeof by === "string" ? left.replace(pattern, by) : left.replace(pattern, by)), text);
  }

  return { redact };
});
