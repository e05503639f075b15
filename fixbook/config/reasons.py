"""What is wrong with YAML or JSON, in Chinese: the parsers say it in English alone."""

from __future__ import annotations

# The first of these that the message contains; libyaml's words, then those of the pure parser.
_YAML = {
    "mapping values are not allowed": "这里不能出现“: ”，多半是值里有冒号而没有加引号，"
    "或者缩进不对",
    "did not find expected key": "这里应当是一个键，多半是缩进和上一行对不齐",
    "did not find expected ',' or ']'": "方括号里缺少逗号，或者没有用 ] 结束",
    "did not find expected ',' or '}'": "花括号里缺少逗号，或者没有用 } 结束",
    "could not find expected ':'": "缺少冒号：这一行只有键，没有“: ”",
    "did not find expected '-' indicator": "列表在这里断了：应当以“- ”开头，多半是缩进不对",
    "did not find expected node content": "冒号或逗号之后缺少值",
    "did not find expected <document start>": "这里应当是新的一份文档，多半是缩进或括号不对",
    "found character that cannot start any token": "值以不能开头的字符开始（如 @、`、%），请加引号",
    "found unexpected end of stream": "文件提前结束，引号没有配对",
    "found unexpected document indicator": "引号里出现了 --- 或 ...，引号没有配对",
    "found unexpected ':'": "这里的冒号是多余的，值里的冒号要加引号",
    "found undefined alias": "用了没有定义的别名（*name），前面没有对应的 &name",
    "found undefined tag handle": "用了没有定义的标签前缀",
    "second occurrence": "同一个锚点（&name）定义了两次",
    "found unknown escape character": "双引号里有不支持的转义；写反斜杠请用单引号，或者写成 \\\\",
    "did not find expected hexdecimal number": "双引号里的 \\x、\\u 之后应当是十六进制数字",
    "block sequence entries are not allowed": "这里不能以“- ”开始列表，请移到下一行",
    "block mapping entries are not allowed": "这里不能开始新的键，请移到下一行",
    "mapping keys are not allowed": "这里不能出现键",
    "did not find expected alphabetic or numeric character": "& 或 * 之后应当是名字；"
    "以 * 或 & 开头的值要加引号",
    "did not find expected comment or line break": "| 或 > 之后只能换行或写注释",
    "did not find expected digit": "%YAML 之后应当是版本号",
    "control characters are not allowed": "含有控制字符",
    "invalid trailing utf-8 octet": "不是 UTF-8 编码",
    "invalid leading utf-8 octet": "不是 UTF-8 编码",
    "found a tab character": "在只允许空格的地方用了制表符",
    "character #x": "含有不允许的字符",
    "that cannot start any token": "值以不能开头的字符开始（如 @、`、%），请加引号",
    "expected ',' or ']'": "方括号里缺少逗号，或者没有用 ] 结束",
    "expected ',' or '}'": "花括号里缺少逗号，或者没有用 } 结束",
    "expected <block end>": "这里应当是一个键，多半是缩进和上一行对不齐",
    "expected the node content": "冒号或逗号之后缺少值",
    "sequence entries are not allowed": "这里不能以“- ”开始列表，请移到下一行",
    "expected alphabetic or numeric": "& 或 * 之后应当是名字；以 * 或 & 开头的值要加引号",
    "chomping or indentation": "| 或 > 之后只能换行或写注释",
    "hexadecimal numbers": "双引号里的 \\x、\\u 之后应当是十六进制数字",
}
_JSON = {
    "Expecting property name": "这里应当是双引号里的键，多半是前面多了一个逗号",
    "Illegal trailing comma": "最后一项之后多了一个逗号",
    "Expecting ',' delimiter": "缺少逗号",
    "Expecting ':' delimiter": "键之后缺少冒号",
    "Expecting value": "这里应当是一个值",
    "Extra data": "JSON 结束之后还有内容",
    "Invalid control character": "字符串里有换行等控制字符",
    "Invalid \\": "字符串里有不支持的转义",
    "Unterminated string": "字符串的引号没有配对",
    "Exceeds the limit": "数字太长",
}
_OTHER = "不符合语法"


def yaml_in_chinese(reason: str) -> str:
    """Return what the parser of YAML says, in Chinese."""
    return _among(_YAML, reason)


def json_in_chinese(reason: str) -> str:
    """Return what the parser of JSON says, in Chinese."""
    return _among(_JSON, reason)


def _among(said: dict[str, str], reason: str) -> str:
    return next((zh for en, zh in said.items() if en in reason), _OTHER)
