"""A server refuses a request's JSON schema, regex or grammar, or takes it and ignores a part."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0",
#   "tokenizers==0.23.3", "jsonschema==4.26.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from failure import CODE, ITEM, PLAIN, TAGS, XGRAMMAR, YEAR, ask, by_schema, send
from proof_keywords import BROKEN, KEPT, compare, lets_pass
from proof_sglang import check

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet, snippet_text

VLLM: dict[str, Any] = {
    "versions": [
        "vllm==0.33.0", "aiohappyeyeballs==2.7.1", "aiohttp==3.14.5", "aiosignal==1.4.0",
        "apache-tvm-ffi==0.1.11", "cachetools==8.0.1", "cbor2==6.3.0", "cloudpickle==3.1.2",
        "diskcache==5.6.3", "fastapi==0.165.0", "frozenlist==1.8.0", "interegular==0.3.3",
        "llguidance==1.7.6", "lm-format-enforcer==0.11.3", "msgspec==0.22.0", "multidict==7.2.1",
        "openai==3.54.0", "openai-harmony==0.0.8", "outlines-core==0.2.14",
        "partial-json-parser==0.2.1.1.post7", "prometheus-client==0.26.0", "propcache==0.5.4",
        "pybase64==1.5.1", "sniffio==1.3.1", "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
    ],
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip
XGRAMMAR_ALONE: dict[str, Any] = {"versions": ["xgrammar==0.2.8", "apache-tvm-ffi==0.1.11"]}
SGLANG: dict[str, Any] = {
    "versions": ["sglang==0.5.23", "xgrammar==0.2.7", "apache-tvm-ffi==0.1.11"],
    "record_once": "SGLang's wheel is 40 MB",
}
FREE = "Sure! Here you go."


def on(backend: str) -> str:
    """Return the command that starts vLLM with this backend for all requests."""
    return f"{PLAIN} --structured-outputs-config.backend {backend}"


def read(name: str) -> dict[str, Any]:
    """Return what a snippet puts into a request."""
    return dict(snippet(name)["extra_body"])


def checked(properties: dict[str, Any]) -> dict[str, Any]:
    """Send what the page's lines leave of a schema, and let them check two answers."""
    whole = ask(**properties)["response_format"]["json_schema"]["schema"]
    Path("schema.json").write_text(json.dumps(whole), "utf-8")
    return snippet("checked")


@reproduce(**VLLM)
def length_beside_pattern() -> dict[str, Any]:
    """A pattern and a length, and a server that was started for xgrammar alone."""
    return send(ask(code=CODE), '{"code": "ABCDEFGH"}', XGRAMMAR)


@fix("auto", control="length-beside-pattern", **VLLM)
def backend_left_to_vllm() -> dict[str, Any]:
    """The same request, and the choice is vLLM's."""
    return send(ask(code=CODE), '{"code": "ABCDEFGH"}', snippet_text("auto"))


@reproduce(**VLLM)
def unique_items() -> dict[str, Any]:
    """No backend of vLLM knows uniqueItems."""
    return send(ask(tags=TAGS), '{"tags": ["a", "a"]}')


@fix("checked", control="unique-items", **VLLM)
def keyword_left_out_and_checked() -> dict[str, Any]:
    """The keyword stays at home: the answer is checked when it is there."""
    done = checked({"tags": TAGS})
    twice, once = '{"tags": ["a", "a"]}', '{"tags": ["a", "b"]}'
    measure(twice=len(done["complaints"](twice)), once=len(done["complaints"](once)))
    Path("schema.json").write_text(json.dumps(done["named"]["schema"]), "utf-8")
    return send(done["request"], once) | {"found": bool(snippet("ignored")["found"])}


@non_fix("guidance", control="unique-items", **VLLM)
def guidance_asked_for() -> dict[str, Any]:
    """Guidance by name."""
    measure(backend="guidance")
    return send(ask(tags=TAGS), '{"tags": ["a", "a"]}', on("guidance"))


@non_fix("outlines", control="unique-items", **VLLM)
def outlines_asked_for() -> dict[str, Any]:
    """Outlines by name."""
    return send(ask(tags=TAGS), '{"tags": ["a", "a"]}', on("outlines"))


@reproduce(**VLLM)
def definition_missing() -> dict[str, Any]:
    """A part of a schema, whose definitions stayed behind."""
    return send(ask(item=ITEM), '{"item": {"price": 3}}')


@reproduce(**VLLM)
def definition_missing_for_xgrammar() -> dict[str, Any]:
    """The same on a server for xgrammar alone."""
    return send(ask(item=ITEM), '{"item": {"price": 3}}', XGRAMMAR)


@fix("definitions", control="definition-missing", **VLLM)
def definitions_sent_along() -> dict[str, Any]:
    """The definitions stand at the top of what is sent."""
    part = ask(item=ITEM)["response_format"]["json_schema"]["schema"]
    price = {"type": "object", "properties": {"price": {"type": "integer"}}}
    done = snippet("definitions", part=part, whole={"$defs": {"Item": price}})
    return send(by_schema(done["schema"]), '{"item": {"price": 3}}')


@reproduce(**VLLM)
def look_ahead() -> dict[str, Any]:
    """A regex with a look-ahead."""
    return send({"structured_outputs": {"regex": "(?!0)[0-9]{4}"}}, "0123")


@reproduce(**VLLM)
def look_ahead_for_xgrammar() -> dict[str, Any]:
    """The same on a server for xgrammar alone."""
    return send({"structured_outputs": {"regex": "(?!0)[0-9]{4}"}}, "0123", XGRAMMAR)


@reproduce(**VLLM)
def look_ahead_for_outlines() -> dict[str, Any]:
    """The same on a server for outlines alone."""
    return send({"structured_outputs": {"regex": "(?!0)[0-9]{4}"}}, "0123", on("outlines"))


@fix("regex", control="look-ahead", **VLLM)
def regex_without_look_ahead() -> dict[str, Any]:
    """The same years without one."""
    measure(first=send(read("regex"), "1234")["passes"])
    return send(read("regex"), "0123")


@reproduce(**VLLM)
def rule_missing() -> dict[str, Any]:
    """A grammar that names a rule and does not have it."""
    return send({"structured_outputs": {"grammar": "root ::= answer"}}, "yes")


@reproduce(**VLLM)
def rule_missing_for_xgrammar() -> dict[str, Any]:
    """The same on a server for xgrammar alone, which names no reason."""
    return send({"structured_outputs": {"grammar": "root ::= answer"}}, "yes", XGRAMMAR)


@fix("grammar", control="rule-missing", **VLLM)
def rule_written() -> dict[str, Any]:
    """The rule is there."""
    return send(read("grammar"), "yes")


@detect(found=True, **VLLM)
def old_name() -> dict[str, Any]:
    """The name of the field until vLLM 0.11."""
    done = send({"guided_json": {"type": "object"}}, FREE)
    return done | {"found": done["passes"]}


@fix("renamed", control="old-name", **VLLM)
def new_name() -> dict[str, Any]:
    """The name of today."""
    done = send(read("renamed"), FREE)
    return done | {"found": done["passes"]}


@reproduce(**VLLM)
def old_class() -> None:
    """The class that held a constraint in Python until vLLM 0.11."""
    from vllm.sampling_params import GuidedDecodingParams  # noqa: F401


@fix("renamed", control="old-class", **VLLM)
def new_class() -> dict[str, Any]:
    """The class of today, and the argument that takes it."""
    from vllm.sampling_params import SamplingParams, StructuredOutputsParams

    asked = StructuredOutputsParams(json={"type": "object"})
    return {"taken": SamplingParams(structured_outputs=asked).structured_outputs is asked}


@detect(found=True, **VLLM)
def look_ahead_in_a_schema() -> dict[str, Any]:
    """The look-ahead stands in a schema, where xgrammar leaves it out."""
    done = send(ask(year=YEAR), '{"year": "0123"}')
    return done | {"found": done["passes"]}


@detect(found=True, control="look-ahead-in-a-schema", **VLLM)
def strict_as_well() -> dict[str, Any]:
    """The request says strict."""
    request = ask(year=YEAR)
    request["response_format"]["json_schema"]["strict"] = True
    done = send(request, '{"year": "0123"}')
    return done | {"found": done["passes"]}


@detect(found=True, **VLLM)
def keywords_listed() -> dict[str, Any]:
    """Schemas with what xgrammar does not enforce: all are listed, all answers pass."""
    return compare(BROKEN)


@detect(found=False, control="keywords-listed", **VLLM)
def nothing_listed() -> dict[str, Any]:
    """Schemas that it enforces: none is listed, no answer passes."""
    return compare(KEPT)


@reproduce(**SGLANG)
def unique_items_in_sglang() -> None:
    """SGLang's check of the same schema."""
    check(ask(tags=TAGS)["response_format"]["json_schema"]["schema"])


@fix("checked", control="unique-items-in-sglang", **SGLANG)
def keyword_left_out_in_sglang() -> dict[str, Any]:
    """What the page's lines leave passes it."""
    done = checked({"tags": TAGS})
    check(done["request"]["response_format"]["json_schema"]["schema"])
    return {"twice": len(done["complaints"]('{"tags": ["a", "a"]}'))}


@detect(found=True, **SGLANG)
def look_ahead_in_sglang() -> dict[str, Any]:
    """A look-ahead passes SGLang's check, and xgrammar leaves it out."""
    check(YEAR)
    return {"found": lets_pass(YEAR, '"0123"')}


if __name__ == "__main__":
    main(__file__)
