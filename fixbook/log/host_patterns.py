"""What tells where a log is from: hosts, addresses, folders; and what stands in their place."""

from __future__ import annotations

from fixbook.log.person_patterns import PROSE

_ENDING = (
    "(?:com|net|org|edu|gov|io|ai|cn|de|uk|fr|eu|jp|kr|ru|ch|in|dev|cloud|local|localdomain"
    "|internal|intranet|corp|lan|cluster|svc|home)"
)
_FILE = r"[\w.-]*\.(?:py|pyx|cc?|cpp|cu|cuh|hh?|hpp|so|go|rs|js|ts|java|sh|log|txt)\b"
_LOCAL = (
    r"(?:localhost|127\.|None\b|MASTER_|https?:"
    r"|(?:\w+\.)?(?:huggingface\.co|hf\.co|github\.com|pypi\.org))"
)
_HOST = r"[A-Za-z](?:[\w-]|\.(?=\w)){0,100}"
# A name that nothing introduces has to look like one: a hyphen or a digit, and no underscore.
_PLAIN_HOST = r"(?=[A-Za-z0-9.]*[\d-])[A-Za-z](?:[A-Za-z0-9-]|\.(?=\w)){1,62}"
_MACHINE = r"(?:gpu|node|host|worker|server|slave|master|dgx|hgx|compute|ip-|cn|gn|[ahv][1-9]00)"
# Where a sentence says on what it ran: `on node17`; `node 0` and `gpu3` are places of every job.
_NUMBERED = (
    r"(?:(?:node|worker|dgx|hgx|server|slave|cn|gn)-?\d{2,}|(?:compute|ip|gpu|node|dgx|hgx|server)-"
    r"(?=[\w-]*\d)[\w-]{2,60})(?:\.[\w-]{1,60})*"
)
_ANNOUNCED = (
    r"(?:connect(?:ing|ed|ion)? to (?:remote )?(?:host|node|server|peer)|connect to(?=[^\n]* port )"
    r"|(?:on|from|to|at|for|of|with) (?:the )?(?:remote )?(?:host|hostname|node|machine"
    r"|worker|peer)"
    r"|resolve (?:host|hostname)|unknown host|node(?:s|list)?(?= [\w.-]+ (?:is|are) (?:ready|down))"
    r"|\u4e3b\u673a|\u8282\u70b9|\u673a\u5668)"
)
HOSTS: tuple[tuple[str, bool, str], ...] = (
    (r"\b(SLURM\w{0,30}NODELIST[ \t]{0,3}[=:][ \t]{0,3})[^\s<]+", True, r"\1<host>"),
    (r"\b(srun: (?:error|warning): )[A-Za-z][\w.,[\]-]*(?=: )", True, r"\1<host>"),
    (r"\b(STEP [\d.+]{1,20} ON |JOB \d{1,12} ON )[A-Za-z][\w.-]*", True, r"\1<host>"),
    (
        (
            rf"(?<!\w)\[(?!{_FILE}|rank\d|(?:gpu|pid|tid|rank|line|step|epoch|iter)s?[-\d]*:)"
            rf"{_PLAIN_HOST}(?=:\d{{2,7}}\])"
        ),
        False,
        "[<host>",
    ),
    (
        (
            rf"(?<!\w)\[(?!{_FILE}|pid:|rank){_HOST}"
            r"(?=:\d{2,7}\] (?:\*\*\*|mca|MPI|PMIX|OPAL|ORTE|Process))"
        ),
        False,
        "[<host>",
    ),
    (rf"\[(?!{_LOCAL}|{_FILE}){_HOST}(?=\]:\d{{2,5}}(?!\d))", True, "[<host>"),
    (rf"(\bof \(|\(host=)[\"']?(?!{_LOCAL}){_HOST}[\"']?(?=, \d{{2,5}}\))", True, r"\1<host>"),
    (
        (
            rf"(?<![^\n:])([ \t]*)(?!gpu\d:){_MACHINE}[\w.-]{{0,60}}\d[\w.-]{{0,60}}(?=: )"
            rf"(?![\w.-]*\.py)"
        ),
        True,
        r"\1<host>",
    ),
    (
        r"(?<![^\n])([ \t]*(?:\[[^\]\n]*\]:?[ \t]*)?)[A-Za-z][\w.-]*(?=:\d+:\d+ \[\d+\] NCCL )",
        True,
        r"\1<host>",
    ),
    (
        (
            rf"((?<![A-Za-z_])(?:(?:batch|alloc|exec|remote|local|head|master|ray|target|peer"
            rf"|source)[_-]?)?"
            r"(?:host(?:_?name)?|node(?:_?name|list|:sid)?|master_addr|rdzv_endpoint|server)"
            rf"[\"']?\s*[=:]\s*[\"']?)(?!<|{_LOCAL}|{_FILE}|{PROSE}\b|[\w.]+(?:\(|\[(?!\d\d)| if ))"
            r"[A-Za-z](?:[\w.-]|\[[\d,-]+\])*"
        ),
        False,
        r"\1<host>",
    ),
    (
        (
            r"\b([A-Z][A-Z0-9_]{0,40}_(?:HOST|HOSTNAME|NODE|NODE_NAME|ADDR|ENDPOINT)=[\"']?)"
            rf"(?!<|{_LOCAL})[A-Za-z][\w.-]*"
        ),
        True,
        r"\1<host>",
    ),
    (
        (
            rf"(\b{_ANNOUNCED}[ :]{{1,2}}[\"'`\[]?)(?!<|{_LOCAL}|{_FILE}|{PROSE}\b|(?:rank"
            rf"|gpu)[ _-]?\d(?!\d))"
            rf"(?:{_PLAIN_HOST}(?![\w(=])|{_HOST}(?=[.,:;!\"'\n]| port |$))"
        ),
        False,
        r"\1<host>",
    ),
    (
        (
            rf"(\b(?:connect\w*|bind|listen\w*|endpoint|peer|store|server|at|to|from)(?: to| on"
            rf"| at)? )"
            rf"(?!{_FILE}|(?:rank|gpu)\d(?!\d)|{_LOCAL}){_PLAIN_HOST}(?=:\d{{4,5}}(?!\d)"
            rf"|<\d{{4,5}}>)"
        ),
        False,
        r"\1<host>",
    ),
    (rf"(\b(?:on|from|at) )(?!{_FILE}){_NUMBERED}(?![\w(=/-])", True, r"\1<host>"),
    (
        (
            r"((?:world[ _]?info|global_rank_mapping|resource|hosts|nodes)[^{\n]{0,80})"
            r"(\{[^}\n]{0,4000}\})"
        ),
        False,
        "hosts()",
    ),
    (
        rf"([\"']){_MACHINE}[\w.-]{{0,60}}\d[\w.-]{{0,60}}\1(?=\s?:\s?\[0[\],])",
        False,
        r"\1<host>\1",
    ),
    (
        r"(?<![\w/@.-])(?:[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?\.)+" + _ENDING + r"(?![\w(-]|\.\w)",
        False,
        "host()",
    ),
    (
        r"(?<!\w)(\w{1,20}://)((?:[\w-]+\.)*[\w-]+|<host>|<ip>)(:\d+)?(/[^\s\"'<>]*)?",
        True,
        "address()",
    ),
    (r"\bfile:///?[^\s\"'<>]+", True, "file://<path>"),
    (
        (
            r"(?<![\w.<>/\\])(?:[A-Za-z]:)?[\\/]{1,2}(?:home|Users)[\\/]{1,2}[\w.-]+(?![\w.-]"
            r"|[\\/]{1,2}\w)"
        ),
        True,
        "<path>",
    ),
    (r"(?<![\w/])~[\w.-]*/[^\s\"'<>|:*?,;()]+", True, "path()"),
    # Backward slashes begin a folder behind a drive, or before a host: \n and \t end lines.
    (
        (
            r"(?<![\w.<>/\\])(?:[A-Za-z]:(?=[\\/])|(?=/)|(?=\\\\[\w.-]{1,60}\\[\w$])"
            r"|\\\\(?=\\\\[\w.-]{1,60}\\\\[\w$]))"
            r"(?:(?:\\\\|[\\/])(?:[^\s\\/\"'<>|:*?,;()[\]{}]| (?=[^\s\\/\"':,]*[\\/]))+){2,}"
        ),
        True,
        "path()",
    ),
)
