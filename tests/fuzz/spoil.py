"""Ways to spoil a file: cut, doubled, reordered, with hard values, in other encodings."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import zstandard
from hypothesis import strategies as st

_LEVELS = (10, 90, 1100, 20_000)
_MOST = 900_000  # bytes of a spoiled file; `check` refuses more than 1 MiB unread

VALUES = (
    b"!!timestamp nope", b"!!bool x", b"!!int ''", b"!!python/object/apply:os.system [touch x]",
    b"!!binary =", b"!!set {a, a}", b"!!omap [a]", b"&a [*a]", b"*nothing", b"<<: *a",
    b"? [a, b]\n: c", b"9" * 400, b"-" + b"9" * 5000, b"1e999999", b".inf", b"-.nan", b"NaN",
    b"0x" + b"f" * 300, b"0o9", b"1_000", b"12:30:45", b"2020-99-99", b"0001-01-01T99:99:99Z",
    b"null", b"~", b"''", b'"\\ud800"', b'"\\u0000"', b'"\\x1b[2J"', b"\xff\xfe", b"\xed\xa0\x80",
    b"\x00", b"\x1b]0;x\x07", "\u202e\u2028\x85\ufeff".encode(), "\uff1a\u00b2\u0663".encode(),
    b"\t", b"\r", b"|", b">-", b"|9\n x", b"%YAML 9.9\n---", b"...", b"--- !x", b"# \xe2\x80",
    b"{{ a }}", b"{% x %}", b"$(touch x)", b"`touch x`", b"${A:-${B}}", b"${!A}",
    b'A=("${A[@]}" "${A[@]}")', b"<<EOF", b"<<'EOF' <<B", b"\\\n", b"'", b'"', b"[", b"{", b")",
    b"lambda: 0", b"f'{x!r:{y}}'", b"*[1, *a]", b"**{}", b"x := 1", b"@", b"\\N{DIGIT ONE}",
    b"0xfor", b"1if 2else 3", b"/dev/zero", b"../../../etc/passwd", b"a" * 5000, b"~/x",
    b"http://[::1", b"deepspeed: ''", b"deepspeed: /dev/stdin", b"deepspeed: .",
    b"deepspeed: [1, {a: b}]",
)  # fmt: skip
_CODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1", "gb18030",
            "utf-8-sig", "cp1252", "utf-7", "shift_jis")  # fmt: skip
_ENDS = (b"\r\n", b"\r", b"\n\n", b"\n\r", b"\x0b\n", b"\x85", b" \n", b"\x00\n")


def _at(draw: st.DrawFn, raw: bytes) -> int:
    return draw(st.integers(0, len(raw)))


def _cut(draw: st.DrawFn, raw: bytes) -> bytes:
    return raw[: _at(draw, raw)]


def _without(draw: st.DrawFn, raw: bytes) -> bytes:
    start = _at(draw, raw)
    return raw[:start] + raw[start + draw(st.integers(1, 200)) :]


def _twice(draw: st.DrawFn, raw: bytes) -> bytes:
    start, times = _at(draw, raw), draw(st.sampled_from((2, 3, 30, 300)))
    part = raw[start : start + draw(st.integers(1, 400))]
    return raw[:start] + part * times + raw[start + len(part) :]


def _lines_mixed(draw: st.DrawFn, raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    if not lines:
        return raw
    places = st.integers(0, len(lines) - 1)
    for _ in range(draw(st.integers(1, 6))):
        one, other = draw(places), draw(places)
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _moved(draw: st.DrawFn, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    blank = draw(st.sampled_from((b" ", b"  ", b"\t", b"- ", b"\xc2\xa0", b"#", b"")))
    lines[at] = blank + lines[at].lstrip()
    return b"\n".join(lines)


def _value(draw: st.DrawFn, raw: bytes) -> bytes:
    """Put a hard value where a value stands."""
    places = [at + 1 for at, sign in enumerate(raw) if sign in b":=(, "] or [0]
    at = draw(st.sampled_from(places))
    end = at + draw(st.sampled_from((0, 1, 4, 12)))
    return raw[:at] + b" " * draw(st.integers(0, 1)) + draw(st.sampled_from(VALUES)) + raw[end:]


def _inserted(draw: st.DrawFn, raw: bytes) -> bytes:
    at = _at(draw, raw)
    more = draw(st.one_of(st.sampled_from(VALUES), st.binary(min_size=1, max_size=12)))
    return raw[:at] + more + raw[at:]


def _line_inserted(draw: st.DrawFn, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    at = draw(st.integers(0, len(lines)))
    return b"\n".join([*lines[:at], draw(st.sampled_from(VALUES)), *lines[at:]])


def _bytes_changed(draw: st.DrawFn, raw: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(draw(st.integers(1, 8)) if raw else 0):
        changed[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(changed)


def _nested(draw: st.DrawFn, raw: bytes) -> bytes:
    left, right = draw(st.sampled_from(
        (
            (b"[", b"]"), (b"{a: ", b"}"), (b'{"a":', b"}"), (b"(", b")"), (b"$(", b")"),
            (b"${A:-", b"}"), (b"- ", b""), (b"? ", b""), (b"a:\n ", b""), (b"not ", b""),
            (b"'", b"'"), (b"f(", b")"),
        )
    ))  # fmt: skip
    levels, at = draw(st.sampled_from(_LEVELS)), _at(draw, raw)
    return raw[:at] + left * levels + b"1" + right * levels + raw[at:]


def _long_line(draw: st.DrawFn, raw: bytes) -> bytes:
    at = _at(draw, raw)
    part = draw(st.sampled_from((
        b"x", b" ", b"\t", b"a: ", b"--a=1 ", b"=", b"\\", b"(Error: ", b"[rank0]: ", b"\x1b[0m",
        b"%", b"\xe4\xbd\xa0", b"0", b"A=$A", b'"', b"../",
    )))  # fmt: skip
    return raw[:at] + part * draw(st.sampled_from((1000, 30_000, 200_000))) + raw[at:]


def _coded(draw: st.DrawFn, raw: bytes) -> bytes:
    return raw.decode("utf-8", "replace").encode(draw(st.sampled_from(_CODINGS)), "replace")


def _ends(draw: st.DrawFn, raw: bytes) -> bytes:
    end = draw(st.sampled_from(_ENDS))
    if draw(st.booleans()):
        return raw.replace(b"\n", end)
    lines = raw.split(b"\n")
    every = draw(st.integers(2, 5))
    return b"".join(line + (end if n % every else b"\n") for n, line in enumerate(lines))


def _gzip(raw: bytes) -> bytes:
    return gzip.compress(raw, mtime=0)  # else the time is in it, and no seed draws it again


def _packed(draw: st.DrawFn, raw: bytes) -> bytes:
    packed = _gzip(raw) if draw(st.booleans()) else zstandard.compress(raw)
    return packed[: draw(st.sampled_from((len(packed), len(packed) // 2, 11, 5, 3)))]


def _many_keys(draw: st.DrawFn, raw: bytes) -> bytes:
    count = draw(st.sampled_from((300, 3000)))
    line = draw(st.sampled_from((
        b"zz_%d: 1\n", b"  - k%d: 1\n", b"learning_ratex%d: 1\n",
        b"x%d = SFTConfig(lerning_rate=1)\n", b"export A%d=1\n",
    )))  # fmt: skip
    return raw + b"\n" + b"".join(line % number for number in range(count))


_Way = Callable[[st.DrawFn, bytes], bytes]
_WAYS: tuple[_Way, ...] = (
    _cut, _without, _twice, _lines_mixed, _moved, _value, _value, _value, _inserted, _line_inserted,
    _bytes_changed, _nested, _long_line, _coded, _ends, _packed, _many_keys,
)  # fmt: skip


def spoiled(draw: st.DrawFn, raw: bytes, most_ways: int = 4) -> bytes:
    """Spoil a file in up to some ways; some stay as they are.

    Args:
        draw: Hypothesis' own.
        raw: What the file holds.
        most_ways: How often it is spoiled at most.
    """
    for _ in range(draw(st.integers(0, most_ways))):
        raw = _WAYS[draw(st.integers(0, len(_WAYS) - 1))](draw, raw)[:_MOST]
    return raw
