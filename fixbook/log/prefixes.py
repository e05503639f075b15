"""What launchers, loggers and people put before a message, and the rank that it names.

The alternatives are tried again and again at the beginning of a line, after its blanks, so they
may stand in any order. Each named group is a rank. Every repetition is bounded, so that a line
costs its length.
"""

from __future__ import annotations

import re

# One line may carry that of a container, a launcher, two loggers and a quotation.
MOST_PREFIXES = 12
# Blanks before the number of a task; a number that stands further in is none.
MOST_BEFORE_TASK = 4

_LEVEL = (
    "(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL"
    "|trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)"
)
# What shows that a message begins here, where the prefix itself could be a part of one.
_MESSAGE = (
    r"""(?=[\s"'`*]{0,40}(?:Traceback\ \(most|File\ "|\[(?:rank|default)\d|terminate\ called"""
    r"""|(?:[A-Za-z_]\w{0,60}\.){0,8}\w{0,60}(?:Error|Exception)\b))"""
)
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_PROCESS = r"[\w./@()-]{1,64}"

PREFIXES = re.compile(
    rf"""
      (?P<srun>\d{{1,5}}):\s(?=\s{{0,40}}\S)                          # srun --label
    | \[(?:(?:[Gg]lobal\ )?[Rr]ank|RANK|default)[ :=]?\ ?(?P<launcher>\d{{1,6}})\]:?\s?   # torchrun
    | \[(?P<mpi>\d{{1,6}}),\d{{1,6}}\]<std(?:out|err)>:\s?             # mpirun
    | \((?:[\w.:-]{{1,80}}\ )?(?:rank=(?P<worker>\d{{1,6}})[, ]\ ?)?   # Ray, vLLM
      pid=\d+(?:[^()]{{0,80}}?\brank=(?P<actor>\d{{1,6}}))?[^)]{{0,80}}\)\s?
    | \d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}Z?\s?(?:[-+]\d\d:?\d\d)?:?\s? # a time
    | \[\d{{4}}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[^\]]{{0,40}}\]:?\s?
    | \[?\d\d/\d\d/(?:\d{{4}}|\d\d)\ {_CLOCK}(?:\ [AP]M)?\]?:?\s
    | \[?{_CLOCK}\]?\s
    | {_MONTH}\ {{1,2}}\d{{1,2}}\ {_CLOCK}\s                           # syslog, journalctl
      (?:[\w.-]{{1,64}}\ {_PROCESS}(?:\[\d{{1,8}}\])?:\s?)?
    | (?:[\w.-]{{1,64}}\ )?{_PROCESS}\[\d{{1,8}}\]:\s?
    | {_LEVEL}\s\d\d-\d\d\s\d\d:\d\d:\d\d\s                            # vLLM
      (?:\[[^\]]{{1,60}}\]\s?|[\w./]{{1,60}}:\d{{1,6}}\]\s?)
    | \[?[IWEF]\d{{3,4}}\s{_CLOCK}\s+(?:\d{{1,9}}\s)?[^\s\]]{{1,200}}:\d{{1,6}}\]\s?   # glog
    | \[[IWEF]\ [\w./]{{1,80}}:\d{{1,6}}\]\s?
    | \[\s?{_LEVEL}\s{{0,8}}(?:\|[^\]\s]{{1,120}})?\]:?\s?(?:\[(?P<logger>\d{{1,5}})\]\s?)?
    | (?:-\ )?(?:[\w.]{{1,80}}\ -\ )?{_LEVEL}\ -\ (?:[\w.]{{1,80}}\ -\ )?   # logging, accelerate
    | \|\s?{_LEVEL}\s{{0,8}}\|\s?(?:[\w.<>]{{1,120}}:[\w.<>]{{1,80}}:\d{{1,6}}\ -\ )?   # loguru
    | {_LEVEL}:[\w.]{{1,100}}:\s?                                      # logging.basicConfig
    | {_LEVEL}:?\s{{1,8}}(?:[\w./]{{1,100}}:\d{{1,6}}\s?[\]:-]?\ )?{_MESSAGE}
    | \[[\w./<>-]{{1,120}}:\d{{1,6}}(?::[\w<>.]{{1,80}})?\]\s?         # [launch.py:316:handler]
    | \[PID:\d{{1,8}}\]\s?
    | \[pod/[^\]\s]{{1,200}}\]\s?                                      # kubectl --prefix
    | [a-z0-9][a-z0-9-]{{0,80}}\ [a-z0-9-]{{1,60}}\ {_MESSAGE}         # stern
    | [\w.-]{{1,60}}[_-]\d{{1,4}}\ {{1,16}}\|\s?                       # docker compose
    | [\w.-]{{1,64}}\ {{0,16}}\|\ {_MESSAGE}
    | [|\u2502]\s?                                                     # exception groups, boxes
    | (?:>\s?){{1,6}}                                                  # a quotation
    | E\s{{3,12}}                                                      # pytest
    | -{{2,6}}>\s{{1,4}}\d{{1,6}}\s                                    # IPython
    | (?:[A-Z][\w\ ]{{0,40}}:\ {{1,4}})?\d{{1,3}}%\|                    # tqdm
      [^|]{{0,200}}\|[^\[\]]{{0,60}}\[[^\]]{{0,80}}\]\s?{_MESSAGE}
    | (?:[*\u2022-]|\d{{1,3}}[.)])\s{{1,4}}(?:(?=`)|{_MESSAGE})                  # Markdown
    | [#*`]{{1,6}}\s?{_MESSAGE}
    """,
    re.VERBOSE | re.ASCII,
)

# Where the line itself tells which rank it is about: the launcher's lines, and its table.
RANK_IN_LINE = re.compile(
    r"""
    ^\s{0,40}rank\s{0,20}:\s(?P<table>\d{1,6})\b
    | \blocal_rank:\s(?P<local>\d{1,6})\b
    | ^\[PG\s[^\]]{1,200}\bRank\s(?P<group>\d{1,6})\]
    """,
    re.VERBOSE | re.ASCII,
)
# A row of the table that stands under its rank.
ROW = re.compile(r"^\s{0,40}(?:exitcode|error_file|traceback)\s{0,20}:\s", re.ASCII)
ROW_OF_RANK = re.compile(rb"(?:^|\n)\s{0,40}rank {0,20}: (?P<rank>\d{1,6})[^\n]{0,60}")
