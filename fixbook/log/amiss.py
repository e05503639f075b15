"""How far a question tells of a failure, and how far it only asks how to do things."""

from __future__ import annotations

import re

# What goes wrong, in a sentence that tells of a failure: what a program says or refuses, or what it
# did not do. The book answers hardly any other.
FAILS = re.compile(
    r"\b(?:error\w*|fail\w*|crash\w*|hang(?:s|ing)?|hung|fr[eo]ezes?|frozen|stuck|refus\w*|reject\w*"
    r"|complain\w*|insists?|claims?|says?|said|saying|tells?|told|die[sd]?|dead|kill\w*|gone|abort\w*"
    r"|exits?|exited|quits?|stops|stopped|broken?|breaks?|blows?|explod\w*|runs? out|missing|nan"
    r"|inf|out of (?:memory|bounds|range|space|resources?)|time[sd]? ?out|unable|warn\w*|assert\w*"
    r"|exception|raise[sd]|throws?|unexpected\w*|unknown|invalid|undefined|mismatch\w*|disagree\w*"
    r"|unsupported|unauthori[sz]ed|overflow\w*|oom|segfault\w*|illegal|corrupt\w*|ignor\w*"
    r"|garbage|nonsense|rubbish|must|can ?not|can'?t|could ?n[o']t|couldn't|won'?t"
    r"|(?:no|any) ?longer|no (?:such|module|attribute)|any ?more"
    r"|too (?:large|long|small|old|many)|(?:larg|great)er than|divisible|wants?|expects?|demands?"
    r"|identical|untrained|zeros|recompil\w*|keeps \w+ing|asks|differ"
    r"|(?:do|does|did|is|are|was|were|has|have|be|will|would)(?:n'?t| not) (?:yet |been |be )?"
    r"(?:accept|know|find|found|exist|support|match|compil|start|load|work|return|recogni[sz]|allow|see|avail|install"
    r"|initiali[sz]|implement|defined|set|requir|receiv|resolv|respon|compatib|valid|reach|regist"
    r"|take|same)\w*)\b"
    r"|报|错|失败|提示|卡[住死在了着]|超时|爆|挂|崩|断言|断了|断掉|中断|异常|说|死|拒绝|溢出|满了"
    r"|警告|退出|丢|坏|无法|找不到|不让|不认|不支持|不兼容|不匹配|不存在|不一致|不接受|不识别"
    r"|[对连装用配导载看存拼]不[上了到进出成]|生效|非法|越界|没反应|不动|空的|全是 ?0"
    r"|[被让]我?[杀拒占改]|乱|整除|停不下|[复入载开动存启用跑行读写打]不了|重新编译|一模一样|\b40[134]\b",
    re.ASCII | re.IGNORECASE,
)
# What is not as it should be: not every sentence that says so tells of a failure.
AMISS = re.compile(
    r"\b(?:error\w*|fail\w*|crash\w*|hangs?|hung|hanging|refus\w*|complain\w*|can ?not|can'?t"
    r"|could ?n[o']t|couldn'?t|won'?t|doesn'?t|don'?t|didn'?t|isn'?t|aren'?t|wasn'?t|not|no|nothing"
    r"|none|never|dies?|died|dead|broken?|breaks?|out of|says?|said|saying|tells?|told|claims?"
    r"|without|kill\w*|stop\w*|stuck|missing|wrong|nan|time(?:out|d out|s out)|unable|warn\w*"
    r"|exits?|exited|abort\w*|assert\w*|exception|raises?|unexpected\w*|invalid|unknown|undefined"
    r"|mismatch\w*|differ\w*|disagree\w*|blows?|explod\w*|garbage|nonsense|rubbish|gone|los[et]s?"
    r"|vanish\w*|reject\w*|unsupported|unauthori[sz]ed|overflow\w*|oom|segfault\w*|fr[eo]ezes?"
    r"|frozen|waits?|stays?|keeps?|too|instead|must|expect\w*|only|illegal|corrupt\w*|zeros?|flat"
    r"|insists?|asks?|throws?|ignor\w*|skip\w*|wants?|grow\w*|climb\w*|less|fewer|larger|greater"
    r"|empty|busy|slower|still|again|identical|equals?|suddenly|versus|filled|requires?)\b"
    r"|报|错|失败|不|没|提示|卡[住死在了着]|超时|爆|挂|崩|断言|断了|断掉|中断|异常|说|死|慢|越来越"
    r"|拒绝|停|乱|溢出|[为是] ?0|满了|警告|退出|丢|坏|无法|被|只|找到了|变成|一直|反而|却|一样|直线"
    r"|\b40[134]\b",
    re.ASCII | re.IGNORECASE,
)
# Chinese that asks, and denies nothing.
CHOICE = re.compile(r"(?P<verb>[是能要会该好行对想])不(?P=verb)|可不可以|有没有?|怎么办|不同的")
SENTENCE_WORDS, SENTENCE_HAN = 7, 14
LONG_WORDS, LONG_HAN = 11, 22
NOTHING_AMISS = (0, 2)
_HAN = re.compile(r"[\u3400-\u9fff]")


def failure_told(text: str, telling: str) -> int:
    """Tell how far a question tells of a failure.

    Args:
        text: What was typed.
        telling: That without what people add to any question.

    Returns:
        0 for a sentence in which nothing is amiss, as it asks how to do things, and 2 for a short
        one; 1 for a long one in which something is; 3 for one that tells of a failure; 4 for a few
        words, and for a short sentence in which something is amiss.
    """
    words, signs = len(telling.split()), len(_HAN.findall(telling))
    if words < SENTENCE_WORDS and signs < SENTENCE_HAN:
        return 4
    said = CHOICE.sub("", text)
    if FAILS.search(said):
        return 3
    amiss, long = AMISS.search(said) is not None, words >= LONG_WORDS or signs >= LONG_HAN
    return int(amiss) if long else 4 if amiss else 2
