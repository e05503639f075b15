"""What is run: a command, the files around it, and what it is given on standard input."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.fuzz.materials import CONFIG_KINDS, ENDINGS, ENTRIES, book_files, texts
from tests.fuzz.spoil import VALUES, spoiled

_ODD_NAMES = (
    b"-rf", b"a b", b"a\nb", b"a\x1b[2Jb", b"\xff\xfe", b"a%20b#c?d", b"'a\"b", b"$(touch x)",
    b"a:1:2", b"x" * 240, "\u4f60\u597d\u202e".encode(), b".hidden", b"rank_3", b"a.yaml.",
    b"a;b&c|d",
)  # fmt: skip
_WORDS = ("", "stuck in backward", "\x1b[31m", "\ud800", "x" * 20_000, "损失不下降", "(" * 3000,
          "%s{0}", "[rank0]: RuntimeError: ", "-", "x", "a b " * 3000)  # fmt: skip
_TOOLS = (
    "axolotl",
    "axolotl@0.19.0",
    "axolotl@²",
    "axolotl@9999.9",
    "@",
    "deepspeed@",
    "trl@x.y",
    "\u202e",
)
LANGS = ("--lang=en", "--lang=zh")


@dataclass(frozen=True)
class Case:
    """One run.

    Attributes:
        group: What is tried.
        program: ``fixbook`` or ``generator``.
        argv: Its arguments; files are named as they lie in the folder it runs in.
        files: Content by name.
        stdin: What a pipe gives it; None closes standard input.
        links: Names that lead elsewhere.
        fixes: Whether it may write into the files that it is given.
        book: Whether ``book/`` is the book.
    """

    group: str
    program: str
    argv: tuple[bytes, ...]
    files: dict[bytes, bytes] = field(default_factory=dict)
    stdin: bytes | None = b""
    links: dict[bytes, bytes] = field(default_factory=dict)
    fixes: bool = False
    book: bool = False


def _named(draw: st.DrawFn, ending: str) -> bytes:
    plain = st.just(b"c" + ending.encode())
    odd = st.builds(
        lambda stem, end: stem + end.encode(),
        st.sampled_from(_ODD_NAMES),
        st.sampled_from((ending, "", ".txt", ending.upper())),
    )
    return draw(st.one_of(plain, plain, odd))


def _spoiled(draw: st.DrawFn, kind: str, most_ways: int = 4) -> bytes:
    known = texts(kind)
    return spoiled(draw, known[draw(st.integers(0, len(known) - 1))], most_ways)


CHECK_FORMS = ((), (b"--json",), (b"--sarif",), (b"--diff",), (b"--format", b"short"),
               (b"--format", b"github"))  # fmt: skip


@st.composite
def checks(draw: st.DrawFn, *, fix: bool = False) -> Case:
    """Draw a check of one to three configurations."""
    files: dict[bytes, bytes] = {}
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        kind = draw(
            st.sampled_from((*CONFIG_KINDS, "yaml", "yaml", *(() if fix else ("toml", "log"))))
        )
        content = _spoiled(draw, kind, 2 if fix else 4)
        files[_named(draw, ENDINGS[kind])] = content
    argv = [b"check", draw(st.sampled_from(LANGS)).encode()]
    if fix:
        argv.append(b"--fix")
    else:
        argv += draw(st.sampled_from(CHECK_FORMS))
    if draw(st.integers(0, 4)) == 0:
        argv += [b"--tool", draw(st.sampled_from(_TOOLS)).encode("utf-8", "surrogatepass")]
    links = {b"link.yaml": next(iter(files))} if draw(st.integers(0, 9)) == 0 else {}
    names = [
        *files,
        *links,
        *draw(st.sampled_from(((), (), (), (b".",), (b"none.yaml",), (b"/dev/null",)))),
    ]
    return Case("check --fix" if fix else "check", "fixbook", (*argv, b"--", *names), files,
                links=links, fixes=fix)  # fmt: skip


@st.composite
def diagnoses(draw: st.DrawFn) -> Case:
    """Draw a diagnosis of logs: files, a folder, a pipe, standard input that is closed."""
    argv = [b"diagnose", draw(st.sampled_from(LANGS)).encode()]
    argv += draw(st.sampled_from(((), (b"--json",), (b"--report",), (b"--top", b"50"))))
    logs = [_spoiled(draw, "log") for _ in range(draw(st.integers(1, 3)))]
    way = draw(st.sampled_from(("files", "folder", "pipe", "device", "closed")))
    if way in {"pipe", "device"}:
        return Case(
            "diagnose", "fixbook", (*argv, b"-" if way == "pipe" else b"/dev/stdin"), stdin=logs[0]
        )
    if way == "closed":
        return Case("diagnose", "fixbook", (*argv, b"-"), stdin=None)
    if way == "folder":
        files = {b"logs/rank_%d.log" % number: log for number, log in enumerate(logs)}
        return Case("diagnose", "fixbook", (*argv, b"logs"), files)
    files = {_named(draw, ".log"): log for log in logs}
    return Case("diagnose", "fixbook", (*argv, b"--", *files), files)


@st.composite
def books(draw: st.DrawFn) -> Case:
    """Draw a command on a book, one or two files of which are spoiled."""
    files = {b"book/" + name.encode(): content for name, content in book_files().items()}
    own = [name for name in files if name.endswith(b"entry.yaml")]
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.one_of(st.sampled_from(own), st.sampled_from(sorted(files))))
        files[name] = spoiled(draw, files[name], 3)
    slug = draw(st.sampled_from(ENTRIES)).encode()
    program, argv = draw(st.sampled_from((
        ("fixbook", (b"lint", slug)), ("fixbook", (b"lint", b"--gate", b"complete")),
        ("fixbook", (b"list",)), ("fixbook", (b"show", slug)),
        ("fixbook", (b"show", slug, b"--json")), ("fixbook", (b"search", b"process group")),
        ("fixbook", (b"run", slug, b"--list")),
        ("fixbook", (b"new", b"--", draw(st.sampled_from(_ODD_NAMES)))),
        ("fixbook", (b"new", b"new-one")), ("generator", (b"render", slug)),
        ("generator", (b"render", slug, b"--plain", b"--draft")),
    )))  # fmt: skip
    return Case("book", program, argv, files, book=True)


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


@st.composite
def commands(draw: st.DrawFn) -> Case:
    """Draw a command that needs no file, with odd words."""
    word = draw(st.one_of(st.sampled_from(_WORDS), st.text(max_size=40),
                          st.sampled_from(VALUES).map(_decoded)))  # fmt: skip
    said = word.replace("\0", "").encode("utf-8", "surrogatepass")
    said = said.replace(b"/dev/zero", b"/dev/null")  # a log without an end is read without an end
    first = draw(st.sampled_from((
        b"search", b"show", b"explain", b"schema", b"list", b"lint", b"run", b"prove", b"diagnose",
        b"check",
    )))  # fmt: skip
    options = draw(st.sampled_from((
        (), (b"--json",), (b"--lang", b"zh"), (b"--top", b"-1"), (b"--nope",), (b"--on", b"cpu"),
        (b"--help",),
    )))  # fmt: skip
    return Case("words", "fixbook", (first, *options, b"--", said))


GROUPS = {
    "check": checks(),
    "check --fix": checks(fix=True),
    "diagnose": diagnoses(),
    "book": books(),
    "words": commands(),
}


def shown(case: Case) -> str:
    """Return the command of a case for a person, as Python would print its arguments."""
    return " ".join([case.program, *(repr(os.fsdecode(one))[:120] for one in case.argv)])
