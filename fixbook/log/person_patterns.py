"""What tells whose a log is: people, their numbers, machines; and what stands in their place."""

from __future__ import annotations

_IPV6 = (
    r"(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"
    r"|(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3})(?::[0-9a-f]{1,4}){0,6}"
    r"::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)"
)
# Words that follow "node", "host" or "user" in a sentence, and name none.
PROSE = (
    r"(?:a|access|address|addresses|affinity|agent|agents|all|already|an|and|any|are|as|at|be|been"
    r"|being|by|can|cannot|changed|code|config|configuration|count|data|defined|device"
    r"|devices|died|does"
    r"|each|exited|failed|failure|failures|for|from|group|groups|had|has|have|id|ids|if|in|index"
    r"|interrupt|input|into|is|it|key|level|limit|limits|local|localhost|manager|memory|message"
    r"|messages|might|must|name|names|namespace|needs|not|number|of|on|one|only|or|per|port|process"
    r"|processes|prompt|provided|rank|ranks|requested|running|script|selector|setting"
    r"|settings|setup"
    r"|assistant|content|role|roles|system|turn|turns|before|but|says|its|after|during|also|be"
    r"|should|side|site|space|specified|startup|state|supplied|that|the|then|this|to|type|using"
    r"|via|was|were|when|which|while|will|with|without|you|your)"
)
_USER_KEYS = (
    r"(?:USER|USERNAME|LOGNAME|SUDO_USER|SLURM_JOB_USER|UserId|GroupId|UID|[Uu]ser[_-]?[Nn]ame"
    r"|[Uu]ser(?:[_-]?[Ii]d)?|[Oo]wner|[Ll]ogin|AllocUser|\u7528\u6237\u540d?|\u8d26\u53f7)"
)
PEOPLE: tuple[tuple[str, bool, str], ...] = (
    (
        r"(?<![\w.+-])[\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100}){0,9}\.[A-Za-z]{2,24}(?![\w-])",
        True,
        "<email>",
    ),
    (r"(?<![\w.-])[A-Za-z][\w.-]{0,100}@[A-Za-z][\w-]{0,100}(?=[:\s]|$)", True, "<user>@<host>"),
    (
        (
            r"(?<![\w.])[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}"
            r"[\dXx](?!\w|\.\d)"
        ),
        True,
        "citizen()",
    ),
    (r"(?<![\w.])\+?86[ -]?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\w)", True, "<phone>"),
    (r"(?<![\w.-])1[3-9]\d([ -])\d{4}\1\d{4}(?![\w-])", True, "<phone>"),
    (
        (
            r"((?:phone|mobile|tel|telephone|whatsapp|wechat|weixin|contact|\u624b\u673a|\u7535\u8bdd|\u8054\u7cfb|\u5fae\u4fe1)\u53f7?\u7801?"
            r"(?:_?(?:number|no))?[\"']?\s{0,3}[=:\uff1a\u662f]?\s{0,3}[\"']?)1[3-9]\d{9}(?!\d)"
        ),
        False,
        r"\1<phone>",
    ),
    (
        (
            r"((?:size|bytes|alloc\w{0,10}|offset|numel|memory|total|count|length|params?"
            r"|parameters"
            r"|elements|tokens|flops)[\"']?(?: of| to)?[ \t]{0,3}[=:]?[ \t]{0,3}|0x)?"
            r"(?<![\dA-Fa-f.])(1[3-9]\d{9})(?!\w|\.\d|[ \t]{0,3}(?:[kmgt]?i?b\b|bytes?\b"
            r"|params?\b|parameters\b"
            r"|elements\b|tokens\b|flops\b|[numμ]?s\b))"
        ),
        False,
        "phone()",
    ),
    (
        (
            r"(?<![\w.-])(?<![=<>~!]=)(?<!version )(?<!-)"
            r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
            r"(?![\w.]*\d)(?!-[a-z])"
        ),
        True,
        "ip()",
    ),
    (rf"(?<![\w:]){_IPV6}(?![\w:])", False, "<ip>"),
    (r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b", False, "<mac>"),
    (r"\b(GPU|MIG)-[0-9a-f]{8}-[0-9a-f-]{20,40}", True, r"\1-<uuid>"),
    (
        (
            rf"((?<![\w.])[\"']?{_USER_KEYS}[\"']?(?:=|: ?|\uff1a)[\"']?)"
            rf"(?!<|None\b|null\b|true\b|false\b|root\b|\d{{1,6}}\b|{PROSE}\b)[^\s\"'<>,;"
            rf"(){{}}]{{2,}}"
        ),
        True,
        r"\1<user>",
    ),
    (r"((?<![\w.])(?:UserId|GroupId)=<user>)\(\d{1,10}\)", True, r"\1"),
    (
        r"\b(e?[ug]id=\d{1,10}|groups=\d{1,10})\([^)\n]*\)(?:,\d{1,10}\([^)\n]*\))*",
        True,
        r"\1(<user>)",
    ),
    (r"(logged in as:?[ \t]+)[^\s<][^\n.]*", False, r"\1<user>"),
    (
        (
            r"\b((?:for|by|as|of|from|invalid|unknown|illegal|such) user[ ][\"'`]?)"
            rf"(?!<|{PROSE}\b)[A-Za-z][\w.-]{{1,31}}(?![\w(=/])"
        ),
        False,
        r"\1<user>",
    ),
    (
        (
            rf"\b(user )(?!<|{PROSE}\b)[A-Za-z][\w.-]{{1,31}}"
            r"(?= (?:logged|does|is not|lacks|cannot|has no|not found))"
        ),
        False,
        r"\1<user>",
    ),
    (r"(\u7528\u6237 ?)(?!<|\u540d)[A-Za-z][\w.-]{1,31}", True, r"\1<user>"),
    (r"(\b[Uu]ser(?:name)? ([\"'`]))[A-Za-z][\w.-]{0,31}(?=\2)", True, r"\1<user>"),
    (rf"(?<![\w-])(user )(?!<|{PROSE}\b)[a-z][a-z0-9]{{1,31}}(?=[\n.,;:!?]|$)", True, r"\1<user>"),
    (
        (
            r"(?<![\w-])([bcdlps-][rwxsStT-]{9}[.+@]?[ \t]+\d+[ \t]+)[^\s]+[ \t]+[^\s]+"
            r"(?=[ \t]+\d)"
        ),
        True,
        r"\1<user> <user>",
    ),
    (r"\b((?:sudo|runuser) -u[ \t]+|su - |ssh -l[ \t]+)(?!<)[A-Za-z][\w.-]*", True, r"\1<user>"),
    (
        (
            r"\b((?:(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|registry) login[ \t]"
            r"(?:[^\n]{0,120}?[ \t])?|login[ \t]+)(?:-u|--username)(?:[ \t]+|=)[\"']?)"
            r"(?!<)[A-Za-z][\w.-]*"
        ),
        True,
        r"\1<user>",
    ),
    (
        (
            r"\b((?:mysql\w{0,10}|mariadb)[ \t](?:[^\n]{0,120}?[ \t])?"
            r"(?:-u[ \t]?|--user(?:[ \t]+|=))[\"']?)(?!<)[A-Za-z][\w.-]*"
        ),
        True,
        r"\1<user>",
    ),
)
