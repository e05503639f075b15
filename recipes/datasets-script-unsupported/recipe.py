"""A data set that comes as a script, and a release of datasets that runs none."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "datasets==5.2.0", "huggingface_hub==2.4.0", "pyarrow==26.0.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_script import compared, hub, local, looked, looked_on_hub

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LAST_3 = ["datasets==3.6.0", "huggingface_hub==0.36.0"]
FIRST_4 = ["datasets==4.0.0", "huggingface_hub==0.36.0"]
HUB = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}
ONCE = "another datasets, imported anew"


@reproduce(env=HUB)
def from_the_hub() -> dict[str, Any]:
    """The repository on the Hub has a script."""
    return hub()


@reproduce()
def from_a_folder() -> dict[str, Any]:
    """The folder has one."""
    return local()


@reproduce(versions=FIRST_4, record_once=ONCE)
def from_a_folder_4_0() -> dict[str, Any]:
    """The first release that refuses."""
    return local(trust_remote_code=True)


@fix("branch", control="from-the-hub", env=HUB)
def branch_of_the_hub() -> dict[str, Any]:
    """The Hub's own conversion is loaded."""
    return hub(converted=True)


@fix("run", control="from-a-folder")
def script_run_once() -> dict[str, Any]:
    """The script is run like any program, and its samples are kept."""
    return local(run=True)


@fix("run", control="from-a-folder-4-0", versions=FIRST_4, record_once=ONCE)
def script_run_once_4_0() -> dict[str, Any]:
    """The same on the first release that refuses."""
    return local(run=True, trust_remote_code=True)


@fix("older", control="from-a-folder-4-0", versions=LAST_3, record_once=ONCE)
def older_datasets() -> dict[str, Any]:
    """The last release that runs scripts."""
    return local(trust_remote_code=True)


@fix(
    "older",
    control="from-a-folder",
    versions=LAST_3,
    env={"HF_DATASETS_TRUST_REMOTE_CODE": "1"},
    record_once=ONCE,
)
def older_datasets_by_variable() -> dict[str, Any]:
    """The argument stays out of the call, which is a library's."""
    return local()


@non_fix("trust", control="from-a-folder")
def trusted() -> dict[str, Any]:
    """The argument is taken, and refused."""
    return local(trust_remote_code=True)


@non_fix("data-files", control="from-a-folder")
def files_named() -> dict[str, Any]:
    """The rows are named; the script is still there."""
    return local(data_files="rows.jsonl")


@detect(found=True)
def folder_with_its_script() -> dict[str, Any]:
    """The file of the folder's name."""
    return looked()


@detect(found=False, control="folder-with-its-script")
def folder_with_another_script() -> dict[str, Any]:
    """A program of another name is in nobody's way."""
    return looked(taken_away=True)


@detect(found=True, env=HUB)
def repository_with_its_script() -> dict[str, Any]:
    """The same question of a repository on the Hub."""
    return looked_on_hub()


@detect(found=True)
def rows_without_the_script() -> dict[str, Any]:
    """The script was deleted: the rows load, as they lie there."""
    return compared(run=False)


@detect(found=False, control="rows-without-the-script")
def samples_of_the_script() -> dict[str, Any]:
    """What the script makes of them."""
    return compared(run=True)


if __name__ == "__main__":
    main(__file__)
