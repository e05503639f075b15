"""What one language denies, the other does not affirm."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from fixbook.gates.sentences import side_by_side
from fixbook.gates.texts import texts_of_entries, texts_of_rules
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Text
    from fixbook.gates.reading import Reading

# A denied verb on one side wants some denial on the other, in whatever words.
_EN_DENIES = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|will|could|would|should|must|need)"
    r"(?:n['’]t| not\b(?! (?:only|just|alone|merely)))|\bcannot\b|\bnever\b|\bno longer\b",
    re.IGNORECASE,
)
_ZH_DENIES = re.compile(
    r"不[会能再报起抛崩]|不支持|不需要|不影响|不返回|不允许|不接受|不拒绝|并不|并没有|没有报|从不"
)
_EN_SOME = re.compile(
    r"\b(?:not|no|nor|never|nothing|none|neither|without|cannot|nobody|nowhere|unless|absent|"
    r"missing|only|alone|instead|rather|except|hardly|gone|less|least|beyond|merely|free|ignor\w+|"
    r"refus\w+|leav\w+|left|drop\w*|skip\w*|lack\w*|un\w+|avoid\w*|prevent\w*|silen\w+|stop\w*|"
    r"fail\w*|too|before|either|wherever|whatever|spares?|stays?)\b|n['’]t\b",
    re.IGNORECASE,
)
_ZH_SOME = re.compile(
    r"[不没未无非别勿免拒少缺空难反丢]|放行|忽略|照样|照常|以外|除|跳过|停|失效|失去|丢失|以前|之前|早于"
)

# Weaker denials, which the other language may put in more ways: by taking away, by what is left.
_EN_WITHOUT = re.compile(r"\bwithout\b|\b(?:has|have) none\b", re.IGNORECASE)
_ZH_WITHOUT = re.compile(
    rf"{_ZH_SOME.pattern}|去掉|删|移除|只|减|用完|任|漏|照抄|取消|关|一样|禁|断|正常|改正|整数|完好|卸|才"
)
# Acts of a user's, and that something is not there.
_NO_LACK = ("关系", "问题", "意义", "变", "区别", "影响")
_ZH_LEAVES = re.compile(
    r"不[传加写设装开给带改建调存读用载换](?![到动变上起出了得齐])"
    rf"|(?<!有)没有(?!{'|'.join(_NO_LACK)})"
)
_EN_LEAVES = re.compile(
    rf"{_EN_SOME.pattern}|\b(?:whether|los\w+|same|other\w*|keep\w*|open|safe|irrelevant|equal|alike"
    r"|pointless|differ\w*|invalid|insufficient|wrong|but|hidden|short\w*|small\w*|if|more|further"
    r"|against|empty|remain\w*|still|goes|mere|bare\w*|exclud\w*|remov\w*|delet\w*|off|disabl\w*"
    r"|out|away|as it (?:is|was)|right|just|reject\w*|few\w*|rare\w*|enough|forget\w*|forgot\w*"
    r"|omit\w*|another|regardless|exact\w*|limit\w*|first|any|since|even|low\w*|need\w*|sound)\b",
    re.IGNORECASE,
)

# What one is told not to do is told so outright; a denial elsewhere in the sentence says nothing.
_ZH_FORBIDS = re.compile(r"不要[^紧求]|不该|不应|别再|切勿")
_EN_FORBIDS = re.compile(
    r"\b(?:not|no|never|nothing|without|cannot|nor|instead|in place of|rather|avoid\w*|leave|ignore"
    r"|alone)\b|n['’]t\b",
    re.IGNORECASE,
)


def denials_agree(reading: Reading) -> Iterator[Problem]:
    """Find sentences that deny something in one language, and nothing in the other."""
    for where, key, text in chain(texts_of_entries(reading), texts_of_rules(reading)):
        if key == ("title",):
            continue  # it is the message itself, of which each language quotes another part
        for denial, sentence in _unlike(text, whole=key[-1] != "title"):
            what = _("{name}: {denial!r} is denied in one language only: {sentence!r}")
            what = what.format(
                name=".".join(map(str, key)), denial=denial, sentence=sentence.strip()[:60]
            )
            yield Problem(where, what, _("let both languages deny it, in plain words"))


def _unlike(text: Text, *, whole: bool) -> Iterator[tuple[str, str]]:
    """Yield denial and sentence; a title, which is no whole sentence, may leave more unsaid."""
    for zh, en in side_by_side(text):
        said = _EN_DENIES.search(en)
        if said and said[0].lower() not in zh.lower() and not _ZH_SOME.search(zh):
            yield said[0], zh
        said = _EN_WITHOUT.search(en)
        if said and said[0].lower() not in zh.lower() and not _ZH_WITHOUT.search(zh):
            yield said[0], zh
        said = _ZH_LEAVES.search(zh)
        if whole and said and not _EN_LEAVES.search(en):
            yield said[0], en
        said = _ZH_DENIES.search(zh)
        if said and not _EN_SOME.search(en):
            yield said[0], en
            continue
        said = _ZH_FORBIDS.search(zh)
        if said and not _EN_FORBIDS.search(en):
            yield said[0], en
