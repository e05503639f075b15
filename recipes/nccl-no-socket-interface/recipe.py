"""NCCL_SOCKET_IFNAME names nothing that this machine has: NCCL ends before it begins."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import start

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    run_snippet,
    snippet_text,
)
from fixbook.recipe.helpers import on_hosts

NCCL: dict[str, Any] = {
    "versions": ["nvidia-nccl-cu13==2.29.7"],
    "programs": ["cc", "ip"],
    "record_once": "NCCL alone is a download of 200 MB",
}
OLDER: dict[str, Any] = NCCL | {"versions": ["nvidia-nccl-cu12==2.18.1"]}
# The first host's address; both ranks meet there, and choose an interface for data afterwards.
MEET = "10.77.0.1:23456"


def looked_at(names: str) -> dict[str, Any]:
    """Run the page's check on a host, which has net1 and lo."""

    def host() -> None:
        said = run_snippet("ask", env={"NCCL_SOCKET_IFNAME": names})
        lines = [line.partition("NCCL ")[2] for line in said.stdout.splitlines()]
        measure(said=lines[-1], found="Using net" not in lines[-1])

    if any(on_hosts(host)):
        raise SystemExit(1)
    return {}


def begin(names: str, *, meet: bool = False, **settings: str) -> dict[str, int]:
    """Run the page's check, and start with these names; measure what else is set."""
    looked_at(names)
    measure(ib=settings.get("NCCL_IB_DISABLE", ""), gloo=settings.get("GLOO_SOCKET_IFNAME", ""))
    if meet:
        settings["NCCL_COMM_ID"] = MEET
    return start(names, **settings)


def of_the_page(name: str) -> str:
    """Return the value that a snippet of the page sets."""
    return snippet_text(name).partition("=")[2].split("  #")[0].strip("\"' \n")


def in_file(*, unset: bool = False, removed: bool = False) -> dict[str, int]:
    """Start with the name in a file of settings, and none in the environment.

    Args:
        unset: Whether the variable is taken away, which is not there.
        removed: Whether the page's lines take it out of the file.
    """
    conf = Path("nccl.conf").absolute()
    conf.write_text("NCCL_IB_TIMEOUT=22\nNCCL_SOCKET_IFNAME=eth0\n", "utf-8")
    if removed:
        run_snippet("remove", env={"NCCL_CONF_FILE": str(conf)})
    measure(taken_away=unset)
    return start("", NCCL_CONF_FILE=str(conf))


@reproduce(**NCCL)
def name_of_another_cluster() -> Any:
    """The image or the launch script says eth0; these hosts have net1 and net2."""
    return begin("eth0")


@reproduce(**OLDER)
def older_nccl() -> Any:
    """An older release."""
    return begin("eth0")


@reproduce(**NCCL)
def met_by_address() -> Any:
    """With an address to meet at, the ranks meet, and find no interface for data."""
    return begin("eth0", meet=True)


@reproduce(**NCCL)
def set_in_a_file() -> Any:
    """The variable is not in the environment."""
    return in_file()


@reproduce(**NCCL)
def space_in_the_list() -> Any:
    """A list with spaces: the second name begins with one."""
    return begin("eth0, net1, net2")


@reproduce(**NCCL)
def exact_prefix() -> Any:
    """With = in front, a prefix is a name, which no interface has."""
    return begin("=net")


@fix("unset", control="name-of-another-cluster", **NCCL)
def unset() -> Any:
    """NCCL chooses."""
    return begin("")


@fix("unset", control="set-in-a-file", **NCCL)
def removed_from_the_file() -> Any:
    """The page's lines take it out of the file."""
    return in_file(removed=True)


@fix("list", control="space-in-the-list", **NCCL)
def list_without_spaces() -> Any:
    """The page's list."""
    return begin(of_the_page("list"))


@fix("exact", control="exact-prefix", **NCCL)
def exact_names() -> Any:
    """The page's whole names behind =."""
    return begin(of_the_page("exact"))


@non_fix("infiniband", control="name-of-another-cluster", **NCCL)
def without_infiniband() -> Any:
    """The group meets over TCP in any case."""
    return begin("eth0", NCCL_IB_DISABLE="1")


@non_fix("gloo", control="name-of-another-cluster", **NCCL)
def told_gloo() -> Any:
    """NCCL does not read Gloo's variable."""
    return begin("eth0", GLOO_SOCKET_IFNAME="net1")


@non_fix("shell", control="set-in-a-file", **NCCL)
def variable_unset() -> Any:
    """The variable is unset in the shell, where it was not set."""
    return in_file(unset=True)


@detect(found=True, **NCCL)
def docker0_excluded_alone() -> Any:
    """A list of exclusions takes the place of NCCL's own, which has lo."""
    return looked_at("^docker0")


@detect(found=False, control="docker0-excluded-alone", **NCCL)
def lo_excluded_too() -> Any:
    """Both are excluded."""
    return looked_at("^docker0,lo")


if __name__ == "__main__":
    main(__file__)
