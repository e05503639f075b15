"""Which lines are errors, whether the book knows them or not."""

from __future__ import annotations

import re

_DOTTED = r"(?:[A-Za-z_]\w{0,100}\.){0,12}"
_OPEN = r"""^[\s"'`*]{0,80}"""
# What NCCL warns of and goes on without, by its source from 2.8 to 2.30: a library or a device that
# is not there, a setting that it corrects, an event that ends nothing, a hint. Where it cannot go
# on, an error follows that says so.
_NOTICE = r"""[^\n]{0,300}?(?:
      lib\ wrapper\ not\ initialized | Failed\ to\ open\ lib(?:ibverbs|mlx5|gdrapi)
    | NET/IB\ :\ (?:No\ IP\ interface\ found|Unable\ to\ (?:open|query)\ (?:device|port))
    | dlvsym\ failed\ on\ | No\ NVML\ device\ handle | GDR\ ?Copy\ is\ not\ available
    | \b(?:is\ (?:being\ )?ignored|[Ii]gnoring|falling\ back\ to|[Cc]ontinue\ without)\b
    | \b(?:limiting|[Ll]imiting\ value|cap\ it|setting\ it|set\ (?:it|both))\ to\ [\d%]
    | \bsetting\ NCCL_\w{1,60}\ to\ | ,\ disabling\b | [Uu]nsetting\ | \ Enabling\ pre-posting
    | Got\ non-fatal\ async\ event | \ GID\ table\ changed | NUMA\ auto\ balancing\ enabled
    | Missing\ "\S{1,60}"\ from\ )"""

# Every line that is an error holds one of these.
ERROR_LITERALS = (
    *("Error", "Exception", ".exc.", "errors.", "exceptions.", "pyarrow.lib."),
    *("queue.Empty", "queue.Full", "TimeoutExpired", "StopIteration", "StopAsyncIteration"),
    *("BrokenProcessPool", "SystemExit: ", "Fatal Python error: ", "terminate called"),
    *("what(): ", "undefined symbol: ", "symbol lookup error: ", "ninja: build stopped"),
    *("error: ", "error :", "CUDA error", "HIP error", "NCCL WARN ", "command not found"),
    *("panicked at ", "Check failed: ", "No module named ", ": not found", "ld: cannot find "),
    *("Assertion `", "ERROR: ", "Failed: ", "[type=", "(type="),
)

ERROR = re.compile(
    rf"""
    {_OPEN}(?:
      {_DOTTED}\w{{1,100}}(?:Error|Exception)(?:\([\w.]{{1,80}}\))?\ ?:\s+\S
    | {_DOTTED}(?:c10::)?(?:Exception:\s+\S|Error:\s+[^\s\d.+-])
    | {_DOTTED}(?:exc|errors?|exceptions?|pyarrow\.lib)\.[A-Z]\w{{1,80}}(?::\s|$)
    | (?:_?queue\.(?:Empty|Full)|(?:{_DOTTED})(?:TimeoutExpired|BrokenProcessPool))(?::\s|$)
    | SystemExit:\ (?:[1-9]|[A-Za-z])
    | Fatal\ Python\ error:\ \S
    | terminate\ called\ (?:after\ throwing|without\ an\ active|recursively)
    | what\(\):\s+\S
    | (?:[\w./+-]{{1,200}}:\ )?symbol\ lookup\ error:\ \S
    | [\w./+-]{{1,300}}:\ undefined\ symbol:\ \S
    | (?:CUDA|HIP|cuBLAS|cuDNN|NCCL)\ (?:runtime\ |driver\ )?error(?:\ \d+)?[:\ ]\ ?\S
    | [\w.-]{{1,80}}:\d{{1,8}}:\d{{1,8}}\ \[\d{{1,4}}\]\ (?:\S{{1,60}}\ )?NCCL\ WARN
        \ (?!{_NOTICE})\S
    | [\w./-]{{1,200}}:\ (?:line\ )?(?:\d{{1,6}}:\ )?[^\s:]{{1,100}}:\ (?:command\ )?not\ found$
    | (?:zsh|fish):\ (?:command\ not\ found|[Uu]nknown\ command):\ \S
    | \S{{0,200}}python[\d.]{{0,6}}:\ No\ module\ named\ \S
    | thread\ '[^']{{0,80}}'\ (?:\(\d{{1,8}}\)\ )?panicked\ at\ \S
    | Check\ failed:\ \S
    | Failed:\ \S{{1,200}}\.(?:cu|cuh|cpp|h|hpp):\d
    | [^\n]{{1,600}}\ [\[(]type=[a-z_.]{{1,60}}(?:,\ input_|[;)])           # pydantic
    )
    | ^{_DOTTED}\w{{0,100}}[a-z](?:Error|Exception):?[`"'*]{{0,3}}\s*$    # without a text
    | ^Stop(?:Async)?Iteration(?::|$)
    """,
    re.VERBOSE | re.ASCII,
)
# Of compilers, linkers and pip: the first of a log is the cause, the others follow from it.
FIRST_ERROR = re.compile(
    rf"""
    {_OPEN}(?:
      (?:[\w./+\\-]{{1,200}}(?::\d{{1,7}}(?::\d{{1,5}})?:|\(\d{{1,7}}\):?)\ |[\w.+-]{{1,40}}:\ )?
        (?:fatal\ )?error(?:\ [A-Z]?\#?\d{{1,5}}(?:-D)?)?\ ?:\ [^\s\d]
    | ERROR:\ [^\s\d]
    | nvcc\ fatal\ {{1,4}}:\ \S
    | ninja:\ build\ stopped
    | \S{{0,200}}\bld:\ cannot\ find\ \S
    | \S{{1,200}}:\d{{1,7}}:\ [^\n]{{0,300}}?Assertion\ `[^`]{{1,300}}failed
    )
    """,
    re.VERBOSE | re.ASCII,
)
