"""A trainer of TRL waits for a vLLM server: it is not there, somewhere else, or behind a proxy."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0",
#     "requests==2.34.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import Any

from proof_server import (
    addressed,
    excepted,
    later,
    look,
    port_of,
    prepare,
    proxied,
    served,
    train,
    vllm,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce
from fixbook.recipe.helpers import free_port, local_http

TRL = ["trl==1.16.0"]
HERE = {"vllm_server_host": "127.0.0.1"}


def alone(*, start: bool = False, loads_s: float = 0.0, **settings: Any) -> dict[str, Any]:
    """Train without a server, with one that the page's line starts, or with one that loads."""
    prepare()
    port = free_port()
    if loads_s:
        later(port, loads_s)
    if not start:
        return train(vllm_server_port=port, **HERE | settings)
    with served(port):
        return train(vllm_server_port=port, **HERE | {"vllm_server_timeout": 60.0} | settings)


def beside(*, answers: Any = vllm, moved: bool = False) -> dict[str, Any]:
    """Train where another server has the port, and vLLM's another one."""
    prepare()
    with local_http(answers) as other, local_http(vllm) as right:
        if moved:
            return train(**addressed(port_of(right)))
        return train(vllm_server_port=port_of(other), **HERE)


def behind(*, down: bool = False, mend: Any = None, **settings: Any) -> dict[str, Any]:
    """Train with a proxy set, beside a server that runs."""
    prepare()
    with local_http(vllm) as address, proxied(down=down):
        if mend:
            mend()
        return train(vllm_server_port=port_of(address), **settings)


def asked(*, answers: Any = vllm, proxy: bool = False, there: bool = True) -> dict[str, Any]:
    """Ask as the page does."""
    prepare()
    with local_http(answers) as address:
        port = port_of(address) if there else free_port()
        if not proxy:
            return look("127.0.0.1", port)
        with proxied():
            return look("127.0.0.1", port)


def nothing_else(*_: object) -> Any:
    """Answer as a server that is not vLLM's."""
    return 404, {}, b"not found"


@reproduce(versions=TRL)
def nobody_listens() -> dict[str, Any]:
    """Nobody started the server."""
    return alone()


@reproduce(versions=TRL)
def still_loading() -> dict[str, Any]:
    """The server is up after three seconds, and the trainer waits one."""
    return alone(loads_s=3.0)


@reproduce(versions=TRL)
def another_answers() -> dict[str, Any]:
    """The port belongs to another server; the trainer waits on, whatever its time limit."""
    return beside(answers=nothing_else)


@reproduce(versions=TRL)
def proxy_answers() -> dict[str, Any]:
    """The server runs, and the request goes to the proxy."""
    return behind()


@reproduce(versions=TRL)
def proxy_is_down() -> dict[str, Any]:
    """The server runs, and the proxy does not."""
    return behind(down=True)


@detect(found=True, versions=TRL)
def finds_nobody() -> dict[str, Any]:
    """Nobody listens."""
    return asked(there=False)


@detect(found=True, versions=TRL)
def finds_the_proxy() -> dict[str, Any]:
    """The proxy answers."""
    return asked(proxy=True)


@detect(found=True, versions=TRL)
def finds_another() -> dict[str, Any]:
    """Another server answers."""
    return asked(answers=nothing_else)


@detect(found=False, control="finds-another", versions=TRL)
def finds_the_server() -> dict[str, Any]:
    """The server answers."""
    return asked()


@fix("start", control="nobody-listens", versions=TRL)
def started() -> dict[str, Any]:
    """TRL's own command starts it; the trainer waits meanwhile."""
    return alone(start=True)


@fix("address", control="another-answers", versions=TRL)
def addressed_rightly() -> dict[str, Any]:
    """The port that the server was started with."""
    return beside(answers=nothing_else, moved=True)


@fix("no-proxy", control="proxy-answers", versions=TRL)
def excepted_from_the_proxy() -> dict[str, Any]:
    """The address that is asked is named as one without a proxy."""
    return behind(mend=excepted)


@fix("no-proxy", control="proxy-is-down", versions=TRL)
def excepted_from_a_dead_proxy() -> dict[str, Any]:
    """The same where the proxy is down."""
    return behind(down=True, mend=excepted)


@fix("timeout", control="still-loading", versions=TRL)
def patient() -> dict[str, Any]:
    """It waits longer than the server loads."""
    return alone(loads_s=3.0, vllm_server_timeout=600.0)


@non_fix("usual-no-proxy", control="proxy-answers", versions=TRL)
def usual_exceptions() -> dict[str, Any]:
    """TRL asks 0.0.0.0, which is neither of them."""
    return behind(mend=lambda: os.environ.update(no_proxy="localhost,127.0.0.1"))


@non_fix("longer", control="nobody-listens", versions=TRL)
def waits_longer() -> dict[str, Any]:
    """Nobody comes."""
    return alone(vllm_server_timeout=3.0)


if __name__ == "__main__":
    main(__file__)
