"""An index with the extension in wheels and in sources, and pip."""

from __future__ import annotations

import io
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from failure import SOURCE, build

from fixbook.recipe import measure, run_snippet, snippet, snippet_text
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import run_python

NEWER = "2.96"  # of a glibc that no machine has
NEWEST, OLDER = "2.8.3", "2.7.4.post1"
NEWER_TAG, OLDER_TAG = "manylinux_2_96", "manylinux_2_17"
SITE = Path("site").absolute()
SETUP = """
import os, shutil
from pathlib import Path
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

class PrebuiltFirst(bdist_wheel):  # as the setup.py of flash-attn does, which downloads it
    def run(self):
        if os.environ.get("FLASH_ATTENTION_FORCE_BUILD") == "TRUE":
            return super().run()
        Path(self.dist_dir).mkdir(parents=True, exist_ok=True)
        shutil.copy(next(Path("prebuilt").glob("*.whl")), self.dist_dir)

setup(
    name="flash_attn", version="VERSION", cmdclass={"bdist_wheel": PrebuiltFirst},
    ext_modules=[Extension("flash_attn_2_cuda", ["a.c"])],
)
"""


def wheel(version: str, platform_tag: str, extension: bytes) -> str:
    """Put a wheel into the index, and return its file."""
    if sys.platform != "linux" or not Path(sysconfig.get_path("include"), "Python.h").is_file():
        skip("this needs Linux and Python.h")
    Path("index").mkdir(exist_ok=True)
    about = f"flash_attn-{version}.dist-info"
    tag = f"py3-none-{platform_tag}_{platform.machine()}"
    file = f"index/flash_attn-{version}-{tag}.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("flash_attn_2_cuda.so", extension)
        named = f"Metadata-Version: 2.1\nName: flash_attn\nVersion: {version}\n"
        archive.writestr(f"{about}/METADATA", named)
        archive.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        archive.writestr(f"{about}/RECORD", "")
    return file


def source(version: str, extension: bytes) -> None:
    """Put the source into the index, with the wheel that its setup.py takes where it may."""
    prebuilt = Path(wheel(version, "linux", extension))
    parts = {
        "setup.py": SETUP.replace("VERSION", version).encode(),
        "a.c": SOURCE.encode(),
        f"prebuilt/{prebuilt.name}": prebuilt.read_bytes(),
    }
    prebuilt.unlink()
    with tarfile.open(f"index/flash_attn-{version}.tar.gz", "w:gz") as archive:
        for name, content in parts.items():
            member = tarfile.TarInfo(f"flash_attn-{version}/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def surroundings() -> dict[str, str]:
    """Return variables with which pip installs from the index into a folder of its own."""
    return {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(Path("index").absolute()),
        "PIP_TARGET": str(SITE),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONPATH": str(SITE),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def pip(command: str) -> str:
    """Run a command of pip, say what was installed, and return what pip printed."""
    out: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    every = {**os.environ, **surroundings()}
    done = subprocess.run(["bash", "-c", command], check=False, text=True, env=every, **out)
    sys.stdout.write(done.stdout)
    if done.returncode:
        sys.exit(done.returncode)
    measure(pip=re.findall("Successfully installed .+", done.stdout)[0])
    return str(done.stdout)


def use() -> dict[str, Any]:
    """Import what was installed."""
    code = "import flash_attn_2_cuda; print(flash_attn_2_cuda.single)"
    done = run_python(code, env={"PYTHONPATH": str(SITE)})
    if done.returncode:
        sys.exit(done.returncode)
    return {"works": int(done.stdout) == 1}


def look() -> dict[str, Any]:
    """Ask as the page does what is installed, without importing it."""
    wanted, there = run_snippet("needs", env=surroundings()).stdout.splitlines()
    needs, has = re.findall(r"\d+\.\d+", wanted)[-1], re.findall(r"\d+\.\d+", there)[-1]
    newer = [int(part) for part in needs.split(".")] > [int(part) for part in has.split(".")]
    return {"found": newer, "needs": needs}


def run(printed: str, *, forced: bool = True) -> dict[str, Any]:
    """Install as the page prints it, with the variable or without, and import it."""
    source(NEWEST, build(NEWER))
    source(OLDER, build())
    command = snippet_text(printed)
    pip(command if forced else command.replace("FLASH_ATTENTION_FORCE_BUILD=TRUE ", ""))
    measure(**look())
    return use()


def by_name() -> dict[str, Any]:
    """Name a release whose wheel says which glibc it is for, and import it."""
    wheel(NEWEST, NEWER_TAG, build(NEWER))
    pip(f"python -m pip install flash-attn=={NEWEST}")
    return use()


def by_path(*, named: str = NEWER_TAG) -> dict[str, Any]:
    """Install the file of a wheel under a name, and import it."""
    file = wheel(NEWEST, NEWER_TAG, build(NEWER))
    pip(f"python -m pip install {shutil.move(file, file.replace(NEWER_TAG, named))}")
    return use()


def looked(glibc: str = "") -> dict[str, Any]:
    """Look at an extension that was compiled for that glibc."""
    SITE.mkdir()
    (SITE / "flash_attn_2_cuda.so").write_bytes(build(glibc))
    return look()


def unpinned(tag: str) -> dict[str, Any]:
    """Name no release, and let the page's line say which it became."""
    wheel(OLDER, OLDER_TAG, build())
    wheel(NEWEST, tag, build(NEWER))
    said = pip("python -m pip install flash-attn")
    measure(names_newest=NEWEST in said)
    sys.path.insert(0, str(SITE))
    try:
        snippet("release")
    except AssertionError as error:
        return {"found": True, "installed": str(error)}
    return {"found": False, "installed": NEWEST}
