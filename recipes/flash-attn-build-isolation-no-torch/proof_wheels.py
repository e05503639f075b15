"""What an index would serve: wheels in a folder."""

from __future__ import annotations

import importlib.metadata
import zipfile
from pathlib import Path

LINKS = Path("links")


def setuptools_wheel() -> None:
    """Pack the installed setuptools as the wheel that pip puts into the build environment."""
    LINKS.mkdir()
    setuptools = importlib.metadata.distribution("setuptools")
    name = f"setuptools-{setuptools.version}-py3-none-any.whl"
    with zipfile.ZipFile(LINKS / name, "w") as archive:
        for file in setuptools.files or ():
            path = Path(str(setuptools.locate_file(file)))
            if ".." not in file.parts and "__pycache__" not in file.parts and path.is_file():
                archive.write(path, str(file))


def wheel(name: str, version: str, code: str) -> str:
    """Write a wheel of one module, and return its path."""
    path, info = LINKS / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    texts = {
        f"{name}.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    texts[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in texts)
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in texts.items():
            archive.writestr(file, text)
    return str(path)
