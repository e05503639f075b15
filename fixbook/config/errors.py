"""Why a file cannot be checked or changed, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.text import printable

if TYPE_CHECKING:
    from fixbook.text import Lang

# What is wrong, and what to do.
_MESSAGES: dict[str, dict[Lang, tuple[str, str]]] = {
    "missing": {
        "zh": ("不存在", "看看路径有没有写错"),
        "en": ("does not exist", "is the path right?"),
    },
    "no-file": {
        "zh": ("既不是文件，也不是文件夹", "请给出配置文件或者文件夹"),
        "en": ("is neither a file nor a folder", "name configuration files or folders"),
    },
    "unreadable": {
        "zh": ("读不了：{reason}", "检查权限"),
        "en": ("cannot be read: {reason}", "look at its permissions"),
    },
    "too-large": {
        "zh": ("有 {size:,} 字节，最多读 {most:,} 字节", "配置不会这么大，这是不是数据文件？"),
        "en": (
            "is {size:,} bytes; at most {most:,} are read",
            "a configuration is small; is this data?",
        ),
    },
    "not-utf8": {
        "zh": ("不是 UTF-8 编码（第 {byte} 个字节处）", "另存为 UTF-8"),
        "en": ("is not UTF-8 (byte {byte})", "save it as UTF-8"),
    },
    "binary": {
        "zh": ("含有二进制数据", "请给出文本的配置文件"),
        "en": ("holds binary data", "name configuration files"),
    },
    "too-deep": {
        "zh": ("嵌套太深，不像配置", "把多余的层次去掉"),
        "en": ("is nested too deeply to be a configuration", "write it with fewer levels"),
    },
    "no-settings": {
        "zh": ("里面没有设置：应当是一组“键: 值”", "最外层写成键和值"),
        "en": (
            "holds no settings: a mapping of keys to values was expected",
            "write keys and values at its top level",
        ),
    },
    "no-report": {
        "zh": ("不是 fixbook env 的报告", "请给出 fixbook env --json 的输出"),
        "en": ("is no report of fixbook env", "name what fixbook env --json has printed"),
    },
    "other-format": {
        "zh": (
            "是格式为 {found} 的报告，这里能读的格式是 {read}",
            "在那台机器上换成这里的 fixbook 版本，重新执行 fixbook env --json",
        ),
        "en": (
            "is a report of format {found}; {read} is read here",
            "run fixbook env --json there again, with the release of fixbook that reads it here",
        ),
    },
    "endless": {
        "zh": (
            "展开别名之后，不是超过 {most:,} 个值，就是嵌套过深",
            "别名套别名会无限膨胀，请把值直接写出来",
        ),
        "en": (
            "has more than {most:,} values, or too many levels, once its aliases are followed",
            "aliases that repeat aliases grow without bound; write the values out",
        ),
    },
    "tag": {
        "zh": ("用了标签 {tag!r}，不小心的读取方式会因此执行代码", "只写普通的值"),
        "en": (
            "uses the tag {tag!r}, which can run code in a careless reader",
            "write plain values",
        ),
    },
    "bad-value": {
        "zh": ("{value} 不是合法的 {tag}，工具读到这里也会出错", "改成合法的值，或者加上引号"),
        "en": (
            "{value} is no valid {tag}; a tool would fail on it, too",
            "correct it, or quote it",
        ),
    },
    "grows": {
        "zh": ("展开变量之后超过 {most:,} 个字符或单词", "把变量的值直接写出来"),
        "en": (
            "has more than {most:,} characters or words once its variables are followed",
            "write the values out",
        ),
    },
    "two-documents": {
        "zh": ("里面有两份 YAML 文档，工具只读一份", "拆成两个文件"),
        "en": ("holds two YAML documents; a tool reads one", "split the file"),
    },
    "tab": {
        "zh": ("在 YAML 只允许空格的地方用了制表符", "换成空格"),
        "en": ("has a tab where YAML allows only spaces", "replace it with spaces"),
    },
    "bad-yaml": {
        "zh": ("不是合法的 YAML：{zh}", "检查缩进和引号"),
        "en": ("is not valid YAML: {reason}", "check indentation and quoting"),
    },
    "bad-json": {
        "zh": ("不是合法的 JSON：{zh}", "检查逗号和引号"),
        "en": ("is not valid JSON: {reason}", "check commas and quotes"),
    },
    "bad-python": {
        "zh": ("不是合法的 Python：{reason}", "改好语法再检查"),
        "en": ("is not valid Python: {reason}", "correct the syntax first"),
    },
    "unknown-tool": {
        "zh": ("这里没有 {tool} 的规则", "可以用的有：{known}"),
        "en": ("has no rules here for {tool}", "use one of {known}"),
    },
    "bad-version": {
        "zh": ("{version!r} 不是 {tool} 的版本号", "按 PEP 440 写，例如 {tool}@0.18.0"),
        "en": ("{version!r} is no version of {tool}", "write one, such as {tool}@0.18.0"),
    },
    "link": {
        "zh": ("是符号链接，没有改动", "直接修改 {target}"),
        "en": ("is a symbolic link and was not changed", "fix {target} itself"),
    },
    "hard-link": {
        "zh": (
            "有 {count} 个硬链接，没有改动",
            "替换文件会断开其他名字；先 cp 出一份再改",
        ),
        "en": (
            "has {count} hard links and was not changed",
            "replacing it would cut off its other names; fix a copy",
        ),
    },
    "owner": {
        "zh": ("属于别的用户或组，没有改动", "请以文件所有者的身份运行"),
        "en": ("belongs to another user or group and was not changed", "run it as the owner"),
    },
    "changed": {
        "zh": ("在检查期间被改过，没有写入", "再检查一次"),
        "en": ("was changed while it was being checked, and was not written", "check it again"),
    },
    "read-only": {
        "zh": ("是只读文件，没有改动", "chmod u+w {path}"),
        "en": ("is read-only and was not changed", "chmod u+w {path}"),
    },
    "unwritable": {
        "zh": ("写不了：{reason}；什么都没有改动", "检查磁盘空间和目录权限"),
        "en": (
            "cannot be written: {reason}; nothing was changed",
            "look at free space and at the permissions of its folder",
        ),
    },
}


_SHOWN = 60


def shortened(value: object) -> str:
    """Return a value as Python writes it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class ConfigError(Exception):
    """A file cannot be checked or changed.

    Attributes:
        where: File, with line and column if known.
        kind: Which error it is.
        what: What is wrong, in both languages.
        mend: What to do, in both languages.
    """

    def __init__(self, where: str, kind: str, **values: object) -> None:
        self.where, self.kind = where, kind
        texts = _MESSAGES[kind]
        self.what: dict[Lang, str] = {
            lang: what.format(**values) for lang, (what, _) in texts.items()
        }
        self.mend: dict[Lang, str] = {
            lang: mend.format(**values) for lang, (_, mend) in texts.items()
        }
        super().__init__(f"{where}: {self.what['en']}\n    mend: {self.mend['en']}")

    def as_text(self, lang: Lang) -> str:
        """Return it for a terminal."""
        colon = "：" if lang == "zh" else ": "
        return printable(f"{self.where}{colon}{self.what[lang]}\n    {self.mend[lang]}")

    def as_json(self) -> dict[str, object]:
        """Return plain data."""
        return {"file": self.where, "kind": self.kind, "what": self.what, "mend": self.mend}
