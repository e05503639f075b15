"""An index of wheels with the extension in them, and pip."""

from __future__ import annotations

import io
import platform
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from failure import SOURCE, build

from fixbook.recipe import measure
from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import run_python

NEWER = "2.96"  # of a glibc that no machine has
SETUP = """
from setuptools import Extension, setup
setup(name="attention", version="2.8.2", ext_modules=[Extension("attention_cuda", ["a.c"])])
"""


def publish(version: str, platform_tag: str, extension: bytes) -> str:
    """Put a wheel into the index, and return its file."""
    Path("index").mkdir(exist_ok=True)
    about = f"attention-{version}.dist-info"
    tag = f"py3-none-{platform_tag}_{platform.machine()}"
    file = f"index/attention-{version}-{tag}.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr("attention_cuda.so", extension)
        named = f"Metadata-Version: 2.1\nName: attention\nVersion: {version}\n"
        wheel.writestr(f"{about}/METADATA", named)
        wheel.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n")
        wheel.writestr(f"{about}/RECORD", "")
    return file


def publish_source() -> None:
    """Put the source into the index."""
    with tarfile.open("index/attention-2.8.2.tar.gz", "w:gz") as archive:
        for name, text in {"setup.py": SETUP, "a.c": SOURCE}.items():
            member = tarfile.TarInfo(f"attention-2.8.2/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def prepare(tag: str = "linux", *, older: str = "linux") -> str:
    """Publish a release built on a newer system and one built here; return the former's file."""
    if sys.platform != "linux" or not Path(sysconfig.get_path("include"), "Python.h").is_file():
        skip("this needs Linux and Python.h")
    publish("2.7.4", older, build())
    return publish("2.8.2", tag, build(NEWER))


def pip(*options: str) -> None:
    """Install from the index into a folder of its own, and say what was installed."""
    command = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install"]
    command += ["--no-index", "--find-links", "index", "--no-deps", "--target", "site", *options]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, check=False, text=True, **out)
    sys.stdout.write(done.stdout)
    if done.returncode:
        sys.exit(done.returncode)
    measure(pip=re.findall("Successfully installed .+", done.stdout)[0])


def use() -> dict[str, Any]:
    """Import what was installed."""
    code = "import attention_cuda; print(attention_cuda.single)"
    done = run_python(code, env={"PYTHONPATH": str(Path("site").absolute())})
    if done.returncode:
        sys.exit(done.returncode)
    return {"works": int(done.stdout) == 1}
