"""Two packages of NCCL in one environment: both own the same file."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

from fixbook.files import cache_folder

OLD, NEW = "nvidia-nccl-cu12==2.27.5", "nvidia-nccl-cu13==2.29.7"
ALONE = {"PYTHONPATH": ""}  # the environment's packages, not those of the step
PIP = ALONE | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "wheels", "PIP_CONFIG_FILE": os.devnull}
PLACE = Path("nvidia", "nccl", "lib")
ENV = Path("env")
# What needs NCCL as torch's library does: a function of 2.29, and the wheel's own folder first.
SOURCE = "extern int ncclCommResume(void *); int use(void *comm) { return ncclCommResume(comm); }"
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)"


def python() -> str:
    """Return the Python of the environment."""
    return str(ENV / "bin" / "python")


def site() -> Path:
    """Return the folder that the environment's packages lie in."""
    return next(ENV.glob("lib/python*/site-packages"))


def distribution(name: str) -> Distribution:
    """Return a published release: of the step's packages, or of one folder of the cache."""
    wanted, _, version = name.partition("==")
    folder = cache_folder() / f"nccl-{version}"
    paths = [*sys.path, str(folder)]
    found = [one for one in distributions(name=wanted, path=paths) if one.version == version]
    if not found:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", name]
        subprocess.run([*command, "--target", str(folder)], check=True)
        return distribution(name)
    return found[0]


def wheel(name: str) -> Path:
    """Put the files of a published release back into a wheel, as pip has no index here."""
    one = distribution(name)
    stem = name.replace("-", "_").replace("==", "-")
    target = Path("wheels", f"{stem}-py3-none-any.whl")
    target.parent.mkdir(exist_ok=True)
    made = {"INSTALLER", "REQUESTED", "RECORD"}  # by the installation
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        rows = []
        for file in one.files or []:
            if file.name not in made:
                archive.write(file.locate(), str(file))
                rows.append(f"{file},{file.hash.mode}={file.hash.value},{file.size}")  # type: ignore[union-attr]
        record = f"{stem}.dist-info/RECORD"
        archive.writestr(record, "\n".join([*rows, f"{record},,"]))
    return target


def pip(*arguments: str) -> str:
    """Run pip for the environment, without an index; return what it says."""
    command = [python(), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(
        command,
        env=os.environ | PIP,
        text=True,
        capture_output=True,
        check=False,
    )
    return done.stdout + done.stderr


def environment(*packages: str) -> None:
    """Make an environment, and install packages one after the other."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(ENV)], check=True)
    import pip as own  # a link to it is a second faster than ensurepip

    (site() / "pip").symlink_to(Path(own.__file__).parent)
    for name in packages:
        wheel(name)
        pip("install", "--no-deps", name)


def load(**variables: str) -> int:
    """Load a library that is linked against NCCL as torch's is; return the loader's exit code."""
    folder = site() / "torch" / "lib"
    folder.mkdir(parents=True)
    library = folder / "libtorch_cuda.so"
    real = distribution(NEW).locate_file(PLACE / "libnccl.so.2")
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-x",
        "c",
        "-",
        "-o",
        str(library),
        "-x",
        "none",
        str(real),
    ]
    linked = "-Wl,--disable-new-dtags,-z,now,-rpath,$ORIGIN/../../nvidia/nccl/lib"
    subprocess.run([*command, linked], input=SOURCE, text=True, check=True)
    done = subprocess.run(
        [python(), "-c", LOAD, str(library)], env=os.environ | ALONE | variables, check=False
    )
    return done.returncode
