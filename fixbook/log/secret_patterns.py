"""What a secret looks like in a log: patterns, and what stands in their place.

A pattern is told by what issues it (the prefix of a token), by the name before it (``api_key=``)
or by the place it stands in (an address, a header, an option). Words of training have the same
names as secrets (tokens, keys): where a name says too little, the value has to look random.
"""

from __future__ import annotations

# Of these "tokens" a log counts, or names one of the vocabulary.
_COUNTED = (
    *("max", "min", "num", "pad", "eos", "bos", "unk", "mask", "sep", "cls", "special", "next"),
    *("new", "image", "video", "audio", "total", "prompt", "completion", "generated", "input"),
    *("output", "added", "extra", "stop", "start", "end", "per", "batched", "cached", "n"),
)
_NOT_COUNTED = "".join(rf"(?<!\b{word}[_-])(?<!_{word}[_-])" for word in _COUNTED)
# A name between its beginning and the value: ``KEY"] = "``, ``'--key', '``, ``\"key\": \"``.
_GIVES = r"\\?[\"']?(?:\]?[ \t]{0,3}(?:=>|:=|[=:\uff1a])|(?<=[\"'])\s?,)\s{0,3}"
_NONE = r"(?:none|null|true|false|empty|unset|\*+|\.\.\.)(?![\w-])"
_CODE = r"[A-Za-z_][\w.]*[([]"  # a call or an index: what it gives is not in the log
_FILLED = r"<[a-z ]{2,20}>|\$\{?[A-Z_]+\}?(?!\w)"  # taken out already, or a variable's name
_STANDS = rf"(?!{_FILLED}|{_NONE}|{_CODE})"
_QUOTED = r"\\?\"[^\"\n]+\"|'[^'\n]+'"
# Letters and digits, long, no word between underscores or dots.
_RANDOM = r"(?=[A-Za-z+/=-]{0,99}\d)(?=[\d+/=-]{0,99}[A-Za-z])[A-Za-z0-9+/=-]{16,600}(?![\w.])"
_ANY = rf"(?:{_QUOTED}|{_STANDS}(?=[!-~])[^\s,;)}}\]\"'\\`{{]{{4,}})"
_STRONG = (
    r"(?:(?:api|access|secret|private|auth|ssh|license|account|service|master|encryption)"
    r"[ _-]?key(?:_id)?|secret|passwd|password|passphrase|passcode|pwd|credential"
    r"|(?<![A-Za-z])(?:pass|psw|pw|pat|creds|dsn|jwt|sessdata|bili_jct|[jp]sessionid|phpsessid)"
    r"|\u5bc6\u7801|\u53e3\u4ee4|\u5bc6\u94a5|\u4ee4\u724c)s?"
)
_LESS = (
    r"(?:key|auth|sid|session(?:_?id)?|csrf(?:_?token)?|signature|sign|nonce|ticket"
    r"|credential|code)"
)
_FLAG = (
    r"(?:[\w-]*[_-])?(?:token|password|passwd|pwd|pass|passphrase|secret"
    r"|(?:api|access|secret|auth|private|wandb|license)[_-]?key)"
)
_PARAMETERS = (
    r"(?:X-(?:Amz|Goog|Oss|Cos)-(?:Signature|Credential|Security-Token)|(?:q-)?signature|sign|sig"
    r"|key-pair-id|(?:access|auth|id|refresh)?_?token|api_?key|key|secret|password|passwd|pwd|auth"
    r"|ossaccesskeyid|awsaccesskeyid|ticket|session|code)"
)
# Of what issues them. Where a word could begin so, what follows tells.
_PREFIXES = "|".join(  # noqa: FLY002  (one line each)
    (
        r"hf_(?=[A-Za-z]{0,60}\d|[A-Za-z]{16})[A-Za-z0-9]{8,}(?!_)",
        r"api_org_[A-Za-z0-9]{8,}",
        r"(?:sk|pk|rk|ak|as|fk)-(?=[\w-]{0,100}\d|[\w-]{20})[\w-]{8,}",
        r"(?:sk|pk|rk|whsec)_(?:(?:live|test)_)?(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{10,}",
        r"gh[opusr]_[\w-]{8,}|github_pat_[\w-]{8,}",
        r"gl(?:pat|rt|dt|cbt|ptt|ft|soat|agent|imt|ffct)-[\w.-]{8,}",
        r"xox[abeprs](?:\.xox[bp])?-[\w-]{8,}|xapp-[\w-]{8,}",
        r"A(?:KIA|SIA|ROA|IDA|GPA|IPA|NPA|NVA|BIA|CCA)[A-Z0-9]{12,}",
        r"LTAI(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{12,}|AK(?:ID|LT)[A-Za-z0-9+/=]{13,}",
        r"(?:bce-v3/)?ALTAK-?[A-Za-z0-9]{10,}(?:/[0-9a-f]{32,})?",
        r"AIza[\w-]{8,}|GOCSPX-[\w-]{8,}|ya29\.[\w-]{8,}|1//0[\w-]{8,}",
        r"npm_[\w-]{8,}|pypi-[\w-]{16,}|nvapi-[\w-]{8,}|dckr_(?:pat|oat)_[\w-]{8,}",
        r"(?:wandb_v1|tgp_v1|dop_v1|doo_v1|dor_v1)_[\w-]{8,}|local-[0-9a-f]{40}",
        (
            r"SG\.[\w-]{8,}(?:\.[\w-]+)?|r8_[\w-]{8,}|(?:gsk|xai|pplx|csk|jina|tvly|fw|rpa)[_-]"
            r"(?=[A-Za-z]{0,60}\d)[\w-]{16,}"
        ),
        r"lin_(?:api|oauth)_[\w-]{8,}|hv[sbr]\.[\w-]{8,}|tskey-[\w-]{8,}|dp\.(?:pt|st)\.[\w.-]{8,}",
        r"AGE-SECRET-KEY-1[A-Z0-9]{8,}|dapi[0-9a-f]{16,}(?:-\d)?|ms-[0-9a-f]{8}-?[0-9a-f][\w-]{3,}",
        (
            r"(?:esecret|sbp|secret|ntn|figd|shp(?:at|ss|ca|pa)|lsv2_(?:pt|sk)|sntry[su]|ph[cx]"
            r"|rubygems"
            r"|glc|glsa|pscale_(?:tkn|pw)|doppler)_(?=[A-Za-z]{0,60}\d)[\w-]{16,}"
        ),
        r"(?:NRAK|PMAK|CCIPAT|ATATT3|ATCTT3|ATBB|EAAC|oy2|pul)[-_]?(?=[A-Za-z]{0,60}\d)[\w=-]{20,}",
        r"(?:AC|SK)[0-9a-f]{32}|key-[0-9a-f]{32}|sq0[a-z]{3}-[\w-]{20,}|xkeysib-[\w-]{20,}",
        r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{20,}|[0-9a-f]{32}\.[A-Za-z0-9]{16}",
    )
)
# Addresses at which whoever knows them may write.
_HOOKS = (
    r"hooks\.slack\.com/services/\w{1,20}/\w{1,20}/|discord(?:app)?\.com/api/webhooks/\d{1,20}/"
    r"|open\.(?:feishu|larksuite)\.(?:cn|com)/open-apis/bot/v2/hook/"
)
_TOKEN = r"\1<token>"  # noqa: S105  (what stands in its place)
# Pattern, whether capitals matter, and what stands in its place: a text in which ``\1`` is the
# first group, or a function of `fixbook.log.redact` by its name with parentheses. In this order.
SECRETS: tuple[tuple[str, bool, str], ...] = (
    (
        (
            r"-----BEGIN (?:[A-Z ]{0,40}PRIVATE KEY|PGP [A-Z ]{1,40})-----[^\x00]*?"
            r"(?:-----END [A-Z ]{0,60}-----|$)"
        ),
        True,
        "<private key>",
    ),
    (rf"([?&;]{_PARAMETERS}=)[^&\s\"'<>]+", False, _TOKEN),
    (r"\b((?:set-)?cookie:[ \t]*)[^\n]+", False, _TOKEN),
    (r"(cookies?[\"']?\s{0,3}[=:]\s{0,3})(?:\{[^}\n]*\}|\[[^\]\n]*\])", False, _TOKEN),
    (rf"(cookies?[\"']?\s{{0,3}}[=:]\s{{0,3}})(?:{_QUOTED})", False, _TOKEN),
    (r"(<cookie [\w.-]{1,80}=)[^\s>]+", False, _TOKEN),
    (
        (
            r"\b((?:proxy-)?authorization[\"']?\s{0,3}[=:]\s{0,3}[\"']?)(?:\w+ )?"
            r"(?!<)[^\s<\"',;]{6,}"
        ),
        False,
        _TOKEN,
    ),
    (r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?", True, "<token>"),
    (rf"\b({_HOOKS})[\w-]{{8,}}", True, _TOKEN),
    # The rest of one that is wrapped stands alone on the next line.
    (rf"\b(?:{_PREFIXES})(?:\n(?=[\w-]*\d)[\w-]{{12,}}(?=\s|$))?", True, "<token>"),
    (r"(?<![\d.])\d{8,12}:[\w-]{35}(?![\w-])", True, "<token>"),
    (r"\b(ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{1,20})[ \t]+[\w+/=]{30,}", True, r"\1 <key>"),
    (r"([\"']auth[\"']\s{0,3}:\s{0,3}[\"'])[^\"'\n]{8,}", True, _TOKEN),
    (
        (
            rf"((?<![\w-])--?{_FLAG}(?:[\"']\s?,)?(?:[ \t]+|=)[\"']?)"
            rf"(?!-|{_FILLED}|{_NONE}|\d{{1,6}}\b)[^\s\"'<,\]]{{4,}}"
        ),
        False,
        _TOKEN,
    ),
    (
        (
            r"\b((?:mysql\w{0,10}|mariadb|sshpass|docker login|podman login)\b[^\n]{0,200}?"
            r"[ \t]-p[ \t]?)[^\s<-]\S*"
        ),
        True,
        _TOKEN,
    ),
    (
        (
            r"\b(redis-cli\b[^\n]{0,200}?[ \t]-a[ \t]?|curl\b[^\n]{0,200}?[ \t]-(?:u"
            r"|b)[ \t]?)[^\s<-]\S*"
        ),
        True,
        _TOKEN,
    ),
    (r"\b(login[ \t]+[^\s]{1,100}\s+password[ \t]+)[^\s<]+", True, _TOKEN),
    (r"\b(identified by[ \t]+)[\"'][^\"'\n]+[\"']", False, _TOKEN),
    (r"(<[\w:-]{0,40}(?:password|passwd|secret|token|key)>)[^<\n]{4,200}(?=</)", False, _TOKEN),
    (
        r"\b(bearer|basic)\s+(?=[\w.~+/=-]*\d|[\w.~+/=-]{20}|\w+\.\w+\.)[\w.~+/=-]{8,}",
        False,
        r"\1 <token>",
    ),
    (rf"({_STRONG}{_GIVES}){_ANY}", False, _TOKEN),
    (
        (
            r"((?<![A-Za-z0-9])[A-Z][A-Z0-9_]{0,60}_(?:KEY|AUTH|PAT|SECRET)=[\"']?)"
            r"(?![<$/])[^\s\"'<]{6,}"
        ),
        True,
        _TOKEN,
    ),
    (
        (
            rf"({_NOT_COUNTED}token{_GIVES})\\?[\"']?(?=[!-~])(?![\[{{`]|<[/|]|{_FILLED}|{_NONE}"
            rf"|{_CODE}|\d{{1,9}}\b|[a-z_]+(?:\.[a-z_]+)+[,;)\s])"
            r"[^\s,;)}\]\"'\\<]{6,}[\"']?"
        ),
        False,
        _TOKEN,
    ),
    (rf"({_NOT_COUNTED}tokens{_GIVES}\[?[\"']?){_RANDOM}", False, _TOKEN),
    (rf"((?<![A-Za-z]){_LESS}{_GIVES}\\?[\"']?){_RANDOM}", False, _TOKEN),
    (rf"(_{_LESS}{_GIVES}\\?[\"']?){_RANDOM}", False, _TOKEN),
    (
        (
            rf"\b((?:key|token|secret|password|passcode|passphrase)s?"
            rf"(?: is| was| of| provided)?:?[ \t]+[\"'`]?){_RANDOM}"
        ),
        False,
        _TOKEN,
    ),
    (
        (
            r"((?:\u5bc6\u7801|\u53e3\u4ee4|\u5bc6\u94a5|\u4ee4\u724c)(?:\u662f|\u4e3a)?[ \t]*)"
            r"(?=[!-~]*\d)[A-Za-z0-9][!-~]{5,}"
        ),
        True,
        _TOKEN,
    ),
    # A revision has the same shape as a key of Weights & Biases.
    (
        (
            r"(?<!snapshots/)(?<!commit[ /:=])(?<!commits/)(?<!blob/)(?<!tree/)(?<!revision=)"
            r"(?<!revision[ :])(?<!\.git@)(?<!HEAD is now at )"
            r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{40}\b"
        ),
        True,
        "<token>",
    ),
    # Up to the last @ of the word: a password may hold one.
    (
        (
            r"(?<!\w)(\w{1,20}://)(?![^\s/:@]{1,100}:\d{1,5}(?:/|\s|$))"
            r"[^\s/@:\"'<>]{0,100}(?::[^\s\"'<>]{0,200})?@"
        ),
        True,
        r"\1",
    ),
    (
        (
            r"(?<![\w.:/-])[\w.-]{1,60}:[^\s:@/\"'<>]{3,100}@"
            r"(?=(?:tcp|unix)?\(|[\w-]{1,60}(?:\.[\w-]{1,60}){0,9}:\d{2,5}(?!\d))"
        ),
        True,
        "<token>@",
    ),
)
