"""Texts that careless patterns take long on, and how often the engine searches in a text."""

from __future__ import annotations

_REDACTED = (
    "a", "/", "/a", "a.", "a:", "1.", "a@", "0", " ", "key", "key=", "host:", "//a", "-", "a/b ",
    "f:", "user ", "token ", "[a", "://a:", "cookie={", "hosts{", "1-", "to a", "hf_a", "login a ",
)  # fmt: skip
_CUT = ("a", " ", "a.", "a ", " a.", ' File "', "[rank1", "\t ")
# A function of the engine, and a piece that is repeated until the text is as long as it should be.
HARD = [
    *(("redact", piece) for piece in _REDACTED),
    *(("unfold", piece) for piece in _CUT),
]
# Each call of a regular expression by a function of the engine, which has its module's name.
SEARCHES = """([name, text]) => {
  const exec = RegExp.prototype.exec;
  let calls = 0;
  RegExp.prototype.exec = function (given) {
    calls += 1;
    return exec.call(this, given);
  };
  try {
    if (name === "diagnose") window.engine.diagnose(text);
    else fixbook.use(name)[name](text);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return calls;
}"""
