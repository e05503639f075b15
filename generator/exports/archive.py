"""Pack the built site and the wheels of the command into one file that needs no network."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path

from fixbook.bundle.archive import SITE, WHEELS
from fixbook.site_address import WHEELS as WHEELS_OF_SITE
from fixbook.text import _
from generator.exports.takeaway import TakeawayError

_SHEBANG = b"#!/usr/bin/env python3\n"
_TIMEOUT_S = 300
_PACKED = {".whl", ".gz", ".zip", ".png", ".woff2"}  # compressed already


def pack_archive(site: Path, target: Path) -> int:
    """Write an archive that Python runs; return its size in bytes.

    Args:
        site: A built site.
        target: The file, replaced if it is there.

    Raises:
        TakeawayError: There is no site, or pip finds a wheel neither here nor on its index.
    """
    if not (site / "index.html").is_file():
        raise TakeawayError(_("{folder} holds no built site").format(folder=site))
    with tempfile.TemporaryDirectory(prefix=".archive-", dir=target.absolute().parent) as name:
        wheels = Path(name) / "wheels"
        _collect_wheels(site, wheels)
        packed = Path(name) / target.name
        with packed.open("wb") as stream:
            stream.write(_SHEBANG)
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                program = files("fixbook.bundle").joinpath("archive.py").read_text("utf-8")
                archive.writestr("__main__.py", program)
                for path in sorted(wheels.glob("*.whl")):
                    _add(archive, path, WHEELS + path.name)
                for path in sorted(site.rglob("*")):
                    if path.is_file():
                        _add(archive, path, SITE + path.relative_to(site).as_posix())
        packed.chmod(0o755)
        packed.replace(target)
    return target.stat().st_size


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    kind = zipfile.ZIP_STORED if path.suffix in _PACKED else zipfile.ZIP_DEFLATED
    archive.write(path, name, kind)


def _collect_wheels(site: Path, folder: Path) -> None:
    """Put the site's wheel of fixbook and what it needs on this Python into a folder."""
    ours = next((site / WHEELS_OF_SITE).glob("*.whl"), None)
    if ours is None:
        raise TakeawayError(_("{folder} holds no built site").format(folder=site))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", "--wheel-dir", str(folder), str(ours)]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise TakeawayError(_("pip took over {seconds} s").format(seconds=_TIMEOUT_S)) from None
    if answer.returncode:
        said = (answer.stderr.strip().splitlines() or [_("pip said nothing")])[-1]
        raise TakeawayError(said)
