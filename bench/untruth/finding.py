"""Untruths in logs, signatures, queries, configurations, rules and addresses."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import yaml

from bench.untruth.draft import NoTargetError, Untruth, first

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.untruth.draft import Draft


def _signature(change: Callable[[dict[str, Any]], object]) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        index, signature = first(iter(enumerate(draft.data.get("signatures") or [])))
        change(signature)
        draft.save()
        return f"signatures.{index}"

    return plant


def _every_signature(draft: Draft) -> str:
    for signature in draft.data.get("signatures") or []:
        signature["pattern"] = "exactly this: " + signature["pattern"]
    draft.save()
    return "signatures"


def _wide(signature: dict[str, Any]) -> None:
    signature |= {"pattern": r"(?:File|Error|error)\b.{0,200}", "context": [], "unless": []}
    signature.pop("captures", None)


def _own_log(draft: Draft) -> str:
    log = first(log for log in draft.data["logs"] if log.get("file") and not log.get("as"))
    (draft.folder / log["file"]).write_text("epoch 1: loss 0.3\nepoch 2: loss 0.2\n", "utf-8")
    return str(log["file"])


def _wrong_log(draft: Draft) -> str:
    """Attribute a log of another entry to this one."""
    path = first(log for folder in draft.others for log in sorted(folder.glob("logs/*.txt")))
    (draft.folder / "logs").mkdir(exist_ok=True)
    shutil.copyfile(path, draft.folder / "logs/another.txt")
    source = draft.data["references"][0]["id"]
    draft.data["logs"].append({"file": "logs/another.txt", "source": source})
    draft.save()
    return "logs/another.txt"


def _invented_line(draft: Draft) -> str:
    log = first(log for log in draft.data["logs"] if log.get("file"))
    path = draft.folder / log["file"]
    path.write_text(path.read_text("utf-8") + "INFO: nothing else was wrong\n", "utf-8")
    return str(log["file"])


def _no_symptom(draft: Draft) -> str:
    log = first(log for log in draft.data["logs"] if log.get("as"))
    log["as"] = "no-such-symptom"
    draft.save()
    return "logs"


def _left_over(draft: Draft) -> str:
    (draft.folder / "logs").mkdir(exist_ok=True)
    (draft.folder / "logs/left-over.txt").write_text("anything\n", "utf-8")
    return "logs/left-over.txt"


def _queries(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        path = draft.folder / "queries.yaml"
        queries = yaml.safe_load(path.read_text("utf-8"))
        change(queries)
        path.write_text(yaml.safe_dump(queries, allow_unicode=True), "utf-8")
        return path.name

    return plant


def _no_chinese(queries: list[dict[str, Any]]) -> None:
    queries[:] = [query for query in queries if query["kind"] != "chinese"]


def _config(draft: Draft) -> dict[str, str]:
    """A configuration of a tool that is quick to ask."""
    changes = (one for fix in draft.data["fixes"] for one in fix.get("config") or [])
    change: dict[str, str] = first(c for c in changes if c["tool"] in {"transformers", "deepspeed"})
    return change


def _same(draft: Draft) -> str:
    change = _config(draft)
    shutil.copyfile(draft.folder / change["before"], draft.folder / change["after"])
    return change["after"]


def _invalid(draft: Draft) -> str:
    path = draft.folder / _config(draft)["after"]
    text = path.read_text("utf-8")
    wrong = text.rstrip()[:-1] + ', "no_such_key": 1}' if path.suffix == ".json" else text
    path.write_text(wrong if wrong != text else text + "no_such_key: 1\n", "utf-8")
    return path.name


def _other_version(draft: Draft) -> str:
    _config(draft)["version"] = "0.0.1"
    draft.save()
    return "fixes.config"


def _rule(change: Callable[[dict[str, Any]], object]) -> Callable[[Draft], str]:
    """Change a rule of the book that names one key."""

    def plant(draft: Draft) -> str:
        for path in sorted((draft.root / "rules").glob("*/rule.yaml")):
            rule = yaml.safe_load(path.read_text("utf-8"))
            when = rule.get("when") or {}
            if "key" in when and "*" not in when["key"] and len(when) > 1:
                change(rule)
                path.write_text(yaml.safe_dump(rule, allow_unicode=True), "utf-8")
                return f"rules/{path.parent.name}"
        raise NoTargetError

    return plant


def _always(rule: dict[str, Any]) -> None:
    rule["when"] = {"any": [_key(rule) | {"set": True}, _key(rule) | {"set": False}]}


def _never(rule: dict[str, Any]) -> None:
    rule["when"] = {"all": [_key(rule) | {"set": True}, _key(rule) | {"set": False}]}


def _key(rule: dict[str, Any]) -> dict[str, Any]:
    return {"key": rule["when"]["key"]}


def _misspelt(rule: dict[str, Any]) -> None:
    rule["when"]["key"] += "s_"


def _moved(draft: Draft) -> str:
    draft.folder.rename(draft.folder.with_name(draft.slug + "-again"))
    return "recipes"


def _retired(draft: Draft) -> str:
    shutil.rmtree(draft.folder)
    return "recipes"


def _unlisted(draft: Draft) -> str:
    path = draft.root / "slugs.txt"
    path.write_text(path.read_text("utf-8").replace(f"{draft.slug}\n", ""), "utf-8")
    return path.name


FINDING = [
    Untruth("signature widened to other logs", _signature(_wide)),
    Untruth("all signatures narrowed", _every_signature),
    Untruth(
        "signature that RE2 cannot read",
        _signature(lambda s: s.update(pattern="(?!Warning)" + s["pattern"])),
    ),
    Untruth("own log replaced by that of a healthy run", _own_log),
    Untruth("log attributed that is another entry's", _wrong_log),
    Untruth(
        "line added to a quoted log",
        _invented_line,
        why_not="the report has to be read; only logs of steps are recorded",
    ),
    Untruth("log of a symptom that does not exist", _no_symptom),
    Untruth("log that the entry does not name", _left_over),
    Untruth(
        "query that leads elsewhere",
        _queries(lambda q: q.append({"kind": "keywords", "text": "how to bake bread at home"})),
    ),
    Untruth(
        "Chinese queries removed",
        _queries(_no_chinese),
    ),
    Untruth("configuration after the fix is that before", _same, "tools"),
    Untruth("configuration that its tool refuses", _invalid, "tools"),
    Untruth("configuration of a version that was not asked", _other_version, "tools"),
    Untruth("rule widened, so that its passing file fails", _rule(_always), "fixtures"),
    Untruth("rule narrowed, so that its failing file passes", _rule(_never), "fixtures"),
    Untruth("rule on a misspelt key", _rule(_misspelt), "fixtures"),
    Untruth("published entry moved", _moved),
    Untruth("published entry removed", _retired),
    Untruth("published address taken from the list", _unlisted),
]
