"""Check the repositories that nobody had looked into, and name the errors that are not judged.

python -m bench.collected FOLDER    FOLDER holds checkouts, as OWNER/NAME
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.upstream import repositories
from fixbook.api.configurations import check_files

LIST = Path(__file__).with_name("collected.yaml")


def main() -> None:
    """Print how many errors there are, and each that is new."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    count = new = files = 0
    for repository in repositories(LIST):
        root = folder / repository.name
        checked = check_files([root]) if root.is_dir() else None
        files += checked.count if checked else 0
        for item in checked.report.findings if checked else ():
            file = item.document.path.relative_to(root).as_posix()
            if item.severity == "error":
                count += 1
                if (file, item.rule, item.setting.key) not in repository.right:
                    new += 1
                    print(f"{repository.name}/{file}: {item.rule} {item.setting.key}")
    print(f"{files} files, {count} errors, {new} of them not judged")
    sys.exit(bool(new))


if __name__ == "__main__":
    main()
