"""Metrics of evaluate are scripts on the Hub, and without it they are said not to exist."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "datasets==5.2.0", "huggingface_hub==2.4.0", "numpy==2.4.6",
#     "requests==2.34.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_hub import PAGE, SCRIPT, asked, loaded, own

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LATEST = ["evaluate==0.4.6"]
OLDER = ["evaluate==0.4.0"]
TOKEN = ["evaluate==0.4.1"]
FOLDER = ["evaluate==0.4.5"]
ONCE = "evaluate beside the main environment, imported anew"


@reproduce(versions=LATEST, record_once=ONCE)
def hub_out_of_reach() -> dict[str, Any]:
    """Nobody answers at the Hub's address."""
    return loaded(reach=False)


@reproduce(versions=OLDER, record_once=ONCE)
def hub_out_of_reach_on_0_4_0() -> dict[str, Any]:
    """The same on an older release."""
    return loaded(reach=False)


@reproduce(versions=TOKEN, record_once=ONCE)
def old_evaluate_1() -> dict[str, Any]:
    """The Hub answers, and evaluate is older than datasets."""
    return loaded()


@reproduce(versions=FOLDER, record_once=ONCE)
def old_evaluate_5() -> dict[str, Any]:
    """The Hub answers, and evaluate is older than huggingface_hub."""
    return loaded()


@reproduce(versions=LATEST, record_once=ONCE)
def mirror_without_spaces() -> dict[str, Any]:
    """Who answers in the Hub's place has a web page where the script should be."""
    return loaded(text=PAGE)


@reproduce(versions=LATEST, record_once=ONCE)
def script_that_fetches() -> dict[str, Any]:
    """A local script that names a file on the network."""
    return own("elsewhere")


@detect(found=True, versions=LATEST, record_once=ONCE)
def own_folder_wins() -> dict[str, Any]:
    """The Hub answers, and the working directory has a folder of the metric's name."""
    return own("folder")


@detect(found=False, control="own-folder-wins", versions=LATEST, record_once=ONCE)
def hub_within_reach() -> dict[str, Any]:
    """The Hub answers, and there is no such folder."""
    return own("none")


@detect(found=True, versions=LATEST, record_once=ONCE)
def asked_out_of_reach() -> dict[str, Any]:
    """The page's question, and nobody answers."""
    return asked(reach=False)


@detect(found=True, versions=LATEST, record_once=ONCE)
def asked_for_another_name() -> dict[str, Any]:
    """The page's question to a Hub that has another metric."""
    return asked(path=SCRIPT.replace("accuracy", "f1"))


@detect(found=True, versions=LATEST, record_once=ONCE)
def asked_a_mirror() -> dict[str, Any]:
    """The page's question to a mirror without scripts."""
    return asked(text=PAGE)


@detect(found=False, control="asked-for-another-name", versions=LATEST, record_once=ONCE)
def asked_for_a_measurement() -> dict[str, Any]:
    """The page's question where the name is a measurement's."""
    return asked(path=SCRIPT.replace("evaluate-metric", "evaluate-measurement"))


@detect(found=False, control="asked-for-another-name", versions=LATEST, record_once=ONCE)
def asked_within_reach() -> dict[str, Any]:
    """The page's question to a Hub that has the metric."""
    return asked()


@fix("local-file", control="hub-out-of-reach", versions=LATEST, record_once=ONCE)
def local_file() -> dict[str, Any]:
    """The page's line, and the script beside it."""
    return loaded(reach=False, lines="local")


@fix("mirror", control="mirror-without-spaces", versions=LATEST, record_once=ONCE)
def local_under_mirror() -> dict[str, Any]:
    """The page's line beside the same mirror."""
    return loaded(text=PAGE, lines="local")


@fix("no-evaluate", control="hub-out-of-reach", versions=LATEST, record_once=ONCE)
def by_numpy() -> dict[str, Any]:
    """The page's function."""
    return loaded(reach=False, lines="numpy")


@fix("cache", control="hub-out-of-reach", versions=LATEST, record_once=ONCE)
def loaded_before() -> dict[str, Any]:
    """Once with the Hub, once without."""
    return loaded(reach=False, before=True)


@fix("upgrade", control="old-evaluate-1", versions=LATEST, record_once=ONCE)
def newer_evaluate() -> dict[str, Any]:
    """The Hub answers."""
    return loaded()


@fix("upgrade", control="old-evaluate-5", versions=LATEST, record_once=ONCE)
def newest_evaluate() -> dict[str, Any]:
    """The Hub answers."""
    return loaded()


@fix("beside", control="script-that-fetches", versions=LATEST, record_once=ONCE)
def file_beside() -> dict[str, Any]:
    """The file lies beside the script, and the comment is gone."""
    return own("beside")


@non_fix("inside", control="hub-out-of-reach", versions=LATEST, record_once=ONCE)
def path_in_the_package() -> dict[str, Any]:
    """A path that exists in the repository, and not in what pip installs."""
    return loaded("metrics/accuracy/accuracy.py", reach=False)


if __name__ == "__main__":
    main(__file__)
