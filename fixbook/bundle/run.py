"""Run the book's GPU steps on this machine: ``python run.py``. Nothing has to be installed.

Every step runs in a process of its own, as many side by side as cores and GPU memory allow. What
was seen goes into ./results after each step, and the same command goes on where it ended. The
machine's own packages are used where they are there and new enough, those of this folder otherwise.
Put the results into a checkout with ``cp -r results/recipes .``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run the steps; exit codes are those of ``fixbook verify``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="only these entries")
    parser.add_argument("--results", default="results", help="folder to write into (./results)")
    parser.add_argument("--budget", default="600", help="seconds for all steps together (600)")
    parser.add_argument("--machine", help="name of the evidence files; by default the GPU's model")
    parser.add_argument("--rehearse", action="store_true", help="without a GPU: up to CUDA only")
    options = parser.parse_args()
    libraries = _libraries()
    folder = Path(options.results)
    arguments = ["verify", *options.slugs, "--results", str(folder), "--budget", options.budget]
    arguments += ["--rehearse"] if options.rehearse else ["--on", "cuda"]
    arguments += ["--machine", options.machine] if options.machine else []
    use(libraries)
    from fixbook.cli import cli, run_command  # noqa: PLC0415  (found on the path set up above)

    code = run_command(cli, arguments, prog_name="run.py")
    if folder.is_dir():
        sources = {name: one["from"] for name, one in sorted(libraries.items())}
        (folder / "libraries.json").write_text(json.dumps(sources, indent=1) + "\n", "utf-8")
    return code


def _libraries() -> dict[str, dict[str, Any]]:
    """Return what was packed for this Python, each with where it is taken ``from``."""
    manifest = json.loads((HERE / "bundle.json").read_text("utf-8"))
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    packed = manifest["pythons"].get(python)
    if packed is None:
        known = ", ".join(manifest["pythons"])
        sys.exit(f"run.py: packed for Python {known}, this is {python}: use one of those, or pack "
                 f"again with 'fixbook bundle --python {python}'")  # fmt: skip
    sys.path.append(str(HERE / packed["packaging"]["folder"]))  # behind the machine's own
    return chosen(packed, manifest["requires"])


def chosen(packed: dict[str, dict[str, Any]], requires: list[str]) -> dict[str, dict[str, Any]]:
    """Choose between the machine's packages and those of the bundle.

    Args:
        packed: By canonical name: ``version``, ``folder`` and what it ``requires``.
        requires: What Fixbook requires.

    Returns:
        The same with ``from``: ``"machine VERSION"``, or ``"bundle VERSION"`` where the machine has
        none, or one that Fixbook or another package of the bundle does not bear.
    """
    ours: set[str] = set()
    texts = list(requires)
    while True:
        more = {name for name in packed if name not in ours and not _borne(name, texts)}
        if not more:
            break
        ours |= more
        texts += [text for name in more for text in packed[name]["requires"]]
    return {
        name: one
        | {"from": f"bundle {one['version']}" if name in ours else f"machine {_have(name)}"}
        for name, one in packed.items()
    }


def _borne(name: str, texts: list[str]) -> bool:
    """Tell whether the machine has a package, in a version that all these requirements allow."""
    from packaging.requirements import Requirement  # noqa: PLC0415  (the machine may lack it)
    from packaging.utils import canonicalize_name  # noqa: PLC0415

    have = _have(name)
    needs = (Requirement(text) for text in texts)
    return have is not None and all(
        need.specifier.contains(have, prereleases=True)
        for need in needs
        if canonicalize_name(need.name) == name
        and (need.marker is None or need.marker.evaluate({"extra": ""}))
    )


def _have(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def use(libraries: dict[str, dict[str, Any]]) -> None:
    """Put what is taken from the bundle first on the path, of this process and of every step."""
    folders = [
        str(HERE / one["folder"]) for one in libraries.values() if one["from"].startswith("bundle ")
    ]
    sys.path[:0] = [str(HERE), *folders]
    given = os.environ.get("PYTHONPATH", "")
    os.environ["FIXBOOK_PATH"] = os.pathsep.join(filter(None, [*folders, given]))
    os.environ["FIXBOOK_BOOK"] = str(
        HERE if (HERE / "recipes").is_dir() else HERE / "fixbook/_book"
    )


if __name__ == "__main__":
    sys.exit(main())
