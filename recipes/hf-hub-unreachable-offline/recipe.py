"""What is not in the cache has to be asked of the Hub, and the Hub is not reached."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import load, publish
from proof_hub import LIMIT, PORTAL, ask, attempt, offline, script, tunnel

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
DIRECT = {"HF_HUB_OFFLINE": "0"}
OFFLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "1"}
OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
WEIGHTS = "config.json model.safetensors"
PROXY_OLD = ["transformers==4.51.3", "tokenizers==0.21.4", "huggingface_hub==0.36.0"]
ONCE = "huggingface_hub waits 23 seconds or more between its tries"
ONCE_OLD = "an older transformers beside the main one, imported anew"


@reproduce(env=ONLINE, record_once=ONCE)
def nobody_answers() -> dict[str, Any]:
    """The name of the server leads nowhere."""
    return attempt()


@fix("reach-it", control="nobody-answers", env=ONLINE)
def through_a_proxy() -> dict[str, Any]:
    """A proxy leads to a server that answers."""
    return attempt(publish())


@reproduce(record_once=ONCE)
def endpoint_set_too_late() -> dict[str, Any]:
    """The address is read when the library is imported."""
    return script("os.environ['HF_ENDPOINT'] = 'https://hf-mirror.com'")


@fix("reach-it", control="endpoint-set-too-late", record_once=ONCE)
def endpoint_set_in_the_shell() -> dict[str, Any]:
    """The address is there before Python starts."""
    return script()


@reproduce(env=OFFLINE)
def nothing_in_the_cache() -> dict[str, Any]:
    """Offline mode, and nothing is there."""
    return offline()


@fix("download", control="nothing-in-the-cache", env=OFFLINE)
def all_in_the_cache() -> dict[str, Any]:
    """All files were brought there before."""
    return offline(command="download")


@fix("folder", control="nothing-in-the-cache", env=OFFLINE)
def a_folder() -> dict[str, Any]:
    """A path instead of a name."""
    return offline(command="folder")


@reproduce(env=DIRECT, record_once=ONCE)
def unknown_certificate() -> dict[str, Any]:
    """A company's gateway shows a certificate of its own."""
    return tunnel()


@fix("trust-ca", control="unknown-certificate", env=DIRECT)
def certificate_given() -> dict[str, Any]:
    """Python is told of it."""
    return tunnel(command="trust-ca")


@non_fix("ca-of-requests", control="unknown-certificate", env=DIRECT, record_once=ONCE)
def variables_of_requests() -> dict[str, Any]:
    """Two variables of requests, which sends nothing any more."""
    return tunnel(variables={"REQUESTS_CA_BUNDLE": "company-ca.pem", "CURL_CA_BUNDLE": ""})


@reproduce(env=DIRECT)
def a_proxy_refuses() -> dict[str, Any]:
    """The proxy lets another host through, and not the Hub."""
    return tunnel(host="hf-mirror.com")


@reproduce(env=ONLINE)
def a_portal_answers() -> dict[str, Any]:
    """A page of the network's own, with status 200."""
    return attempt(PORTAL)


@reproduce(env=ONLINE, record_once=ONCE)
def too_many_requests() -> dict[str, Any]:
    """The Hub is there, and refuses everything for a while."""
    return attempt(LIMIT)


@reproduce(versions=OLD, env=OFFLINE, record_once=ONCE_OLD)
def nothing_in_the_cache_on_4_46() -> None:
    """It speaks of a path as well."""
    load()


@reproduce(versions=PROXY_OLD, env=DIRECT, record_once=ONCE)
def a_proxy_refuses_on_4_51() -> dict[str, Any]:
    """The proxy's answer is passed over, and the configuration is empty."""
    return tunnel(host="hf-mirror.com")


@non_fix("offline-mode", control="nobody-answers", env=OFFLINE)
def told_to_be_offline() -> dict[str, Any]:
    """The same words at once."""
    return attempt()


@non_fix("local-files-only", control="a-portal-answers", env=ONLINE)
def told_to_use_local_files() -> dict[str, Any]:
    """All files are there, and PEFT's file is asked for."""
    return attempt(PORTAL, local_files_only=True)


@detect(found=True, env=ONLINE)
def asks_in_vain() -> dict[str, Any]:
    """No server of that name."""
    return ask()


@detect(found=True, env=ONLINE)
def asks_a_portal() -> dict[str, Any]:
    """It is not the Hub that answers."""
    return ask(PORTAL)


@detect(found=True, env=ONLINE)
def asks_too_often() -> dict[str, Any]:
    """The Hub limits the rate."""
    return ask(LIMIT)


@detect(found=False, control="asks-in-vain", env=ONLINE)
def asks_the_hub() -> dict[str, Any]:
    """The Hub answers."""
    return ask(publish())


@detect(found=True, env=OFFLINE)
def weights_alone_in_the_cache() -> dict[str, Any]:
    """It loads, and samples as nobody meant it to."""
    return offline(files=WEIGHTS)


@detect(found=False, control="weights-alone-in-the-cache", env=OFFLINE)
def everything_in_the_cache() -> dict[str, Any]:
    """It samples as it was published."""
    return offline(files=f"{WEIGHTS} generation_config.json")


if __name__ == "__main__":
    main(__file__)
