"""Untruths that a second reading planted, and that nothing had caught."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bench.untruth.draft import NoTargetError, Untruth, first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.untruth.draft import Draft

_ELSEWHERE = (
    "the sentence denies something else too, or the other language says it without a denial"
)
_SMALL = "a small number stands by chance in the code or the measures of nearly every step"
_READ = "no step of the entry says which of the two words is meant: somebody has to read it"


def _proven(draft: Draft) -> Iterator[tuple[str, dict[str, str]]]:
    claims: list[dict[str, Any]] = draft.data["claims"]
    return ((claim["id"], claim["text"]) for claim in claims if claim["level"] == "proven")


def _said(pattern: str, new: str | Callable[[re.Match[str]], str]) -> Callable[[Draft], str]:
    """Replace the first match in the prose of a proven claim, in both languages."""

    def plant(draft: Draft) -> str:
        for name, text in _proven(draft):
            if all(re.search(pattern, text[lang]) for lang in ("zh", "en")):
                for lang in ("zh", "en"):
                    text[lang] = re.sub(pattern, new, text[lang], count=1)
                draft.save()
                return f"claims {name}"
        raise NoTargetError

    return plant


def _inverted(*, everywhere: bool) -> Callable[[Draft], str]:
    """Say of a release that raises that it does not: in both languages, or in the English alone."""

    def plant(draft: Draft) -> str:
        for name, text in _proven(draft):
            zh = re.sub(r"(\d\.\d+\.\d+ ?)报错", r"\1不报错", text["zh"], count=1)
            en = re.sub(r"(\d\.\d+\.\d+) raises?\b", r"\1 does not raise", text["en"], count=1)
            if en != text["en"] and (zh != text["zh"] or not everywhere):
                text["en"] = en
                text["zh"] = zh if everywhere else text["zh"]
                draft.save()
                return f"claims {name}"
        raise NoTargetError

    return plant


def _affirmed(lang: str) -> Callable[[Draft], str]:
    """Drop the only denial of a sentence in one language."""
    denial, plain = {
        "en": (r"\b(?:does|do|did) not raise\b", "raises"),
        "zh": (r"不报错", "报错"),
    }[lang]

    def plant(draft: Draft) -> str:
        for place, text in draft.texts():
            spelt = re.split(r"(?<=[.。])", text[lang])
            alone = [s for s in spelt if len(re.findall(r"not|no |never|不|没", s)) == 1]
            if any(re.search(denial, sentence) for sentence in alone):
                text[lang] = re.sub(denial, plain, text[lang], count=1)
                draft.save()
                return place
        raise NoTargetError

    return plant


def _exchanged_rows(draft: Draft) -> str:
    now: dict[str, str] = (draft.data.get("names") or {}).get("now") or {}
    named = [old for old, new in now.items() if new]
    one, other = first((a, b) for a in named for b in named if a < b and now[a] != now[b])
    now[one], now[other] = now[other], now[one]
    draft.save()
    return f"names.now.{one}"


def _invented_successor(draft: Draft) -> str:
    now: dict[str, str] = (draft.data.get("names") or {}).get("now") or {}
    old = first(old for old, new in now.items() if new)
    now[old] = f"new_{now[old]}"
    draft.save()
    return f"names.now.{old}"


def _figures_of_another_fix(draft: Draft) -> str:
    """Let two fixes tell each other's figure."""
    found = re.compile(r"\{\{([\w-]+)\.\w+")
    texts = [fix["text"] for fix in draft.data["fixes"]]
    own = {step.name: step.target for step in draft.passed("fix")}
    steps = [next((m[1] for m in found.finditer(t["en"]) if m[1] in own), "") for t in texts]
    pair = ((a, b) for a in range(len(steps)) for b in range(a) if steps[a] and steps[b])
    mine, other = first(p for p in pair if own[steps[p[0]]] != own[steps[p[1]]])
    for lang in ("zh", "en"):
        texts[mine][lang] = texts[mine][lang].replace(f"{{{{{steps[mine]}.", "{{\0.")
        texts[mine][lang] = texts[mine][lang].replace("\0", steps[other])
    draft.save()
    return f"fixes.{mine}"


def _half_a_fix(draft: Draft) -> str:
    """Leave out of a fix what its control does, and explain it away."""
    for step in draft.passed("fix"):
        code = draft.outline.code[step.name]
        control = draft.outline.code.get(step.control, "")
        shared = set(re.findall(r"\b\w+=[\w\"'.]+", code)) & set(
            re.findall(r"\b\w+=[\w\"'.]+", control)
        )
        for argument in sorted(shared):
            shorter = re.sub(rf"(?:, )?{re.escape(argument)}(?=[,)])", "", code, count=1)
            if shorter != code:
                draft.edit(step, code.strip(), shorter.strip())
                draft.data["steps"][step.name]["differs"] = {
                    "zh": "这一点不影响结果。",
                    "en": "It makes no difference to the result.",
                }
                draft.save()
                return f"step {step.name}"
    raise NoTargetError


def _package(draft: Draft) -> str:
    for index, fix in enumerate(draft.data["fixes"]):
        pattern = r"(pip install (?:-U )?)(\w[\w-]+)"
        if all(re.search(pattern, fix["text"][lang]) for lang in ("zh", "en")):
            if re.search(r"not executed|not run|read in|source", fix["text"]["en"]):
                continue
            for lang in ("zh", "en"):
                fix["text"][lang] = re.sub(pattern, r"\1\2-extras", fix["text"][lang], count=1)
            draft.save()
            return f"fixes.{index}"
    raise NoTargetError


def _device(draft: Draft) -> str:
    """Name other devices than the step measured."""
    for name, text in _proven(draft):
        if all("`" in text[lang] for lang in ("zh", "en")):
            for lang, extra in (("zh", "它在 `cuda:6` 上。"), ("en", " It lies on `cuda:6`.")):
                text[lang] += extra
            draft.save()
            return f"claims {name}"
    raise NoTargetError


def _added(zh: str, en: str) -> Callable[[Draft], str]:
    """Write a sentence behind a proven claim in both languages."""

    def plant(draft: Draft) -> str:
        name, text = first(_proven(draft))
        text["zh"] += zh
        text["en"] += f" {en}"
        draft.save()
        return f"claims {name}"

    return plant


def _unproven_inversion(draft: Draft) -> str:
    """Invert a claim that names no release."""
    for name, text in _proven(draft):
        raises = re.search(r"\braises\b", text["en"]) and "报错" in text["zh"]
        if raises and not re.search(r"\d\.\d", text["en"]):
            text["en"] = re.sub(r"\braises\b", "never raises", text["en"], count=1)
            text["zh"] = text["zh"].replace("报错", "不会报错", 1)
            draft.save()
            return f"claims {name}"
    raise NoTargetError


def _no_negative_control(draft: Draft) -> str:
    """Measure something else than the recommended fix."""
    path = draft.root / "exempt-from-negative-control.txt"
    lines = path.read_text("utf-8").splitlines()
    kept = [line for line in lines if line.partition("#")[0].strip() != draft.slug]
    if len(kept) == len(lines):
        raise NoTargetError
    path.write_text("\n".join(kept) + "\n", "utf-8")
    return path.name


SECOND = [
    Untruth("a release that raises said not to, in both languages", _inverted(everywhere=True)),
    Untruth("a release that raises said not to, in English alone", _inverted(everywhere=False)),
    Untruth("denial dropped in the English alone", _affirmed("en"), why_not=_ELSEWHERE),
    Untruth("denial dropped in the Chinese alone", _affirmed("zh"), why_not=_ELSEWHERE),
    Untruth(
        "release of a proven claim changed in both languages",
        _said(r"(?<![\w.])(\d+\.\d+)\.\d+", r"\1.97"),
    ),
    Untruth(
        "small number of a proven claim changed in both languages",
        _said(r"(?<![\w.`{-])([2-7])(?![\w.`}%-])", lambda found: str(int(found[1]) + 2)),
        why_not=_SMALL,
    ),
    Untruth(
        "larger number of a proven claim changed in both languages",
        _said(r"(?<![\w.`{-])(\d{2,4})(?![\w.`}%-])", lambda found: str(int(found[1]) + 3)),
    ),
    Untruth("other devices than the step measured", _device),
    Untruth("two rows of a table of names exchanged", _exchanged_rows),
    Untruth("successor invented", _invented_successor),
    Untruth("figures of two fixes exchanged by placeholder", _figures_of_another_fix),
    Untruth("a fix that leaves out what its control does, and differs", _half_a_fix),
    Untruth("package of a fix changed in both languages", _package),
    Untruth("share typed in words", _added("只剩十六分之一。", "A sixteenth of it is left.")),
    Untruth("count typed in digits", _added("4 个里对了 3 个。", "3 of 4 prompts are right.")),
    Untruth("count typed as so many right", _added("答对 3 个。", "Right were 3 of the 4.")),
    Untruth(
        "name that no step knows",
        _added("它调用 `gather_everything`。", "It calls `gather_everything`."),
    ),
    Untruth(
        "option that no step knows",
        _added("`no_such_option=True` 也行。", "`no_such_option=True` does as well."),
    ),
    Untruth("number that no step knows", _added("共 90713 步。", "That is 90713 steps.")),
    Untruth("measurement never made on the recommended fix", _no_negative_control),
    Untruth("claim without a release inverted", _unproven_inversion, why_not=_READ),
]
