"""Stores of objects and HDFS: how an address is taken apart, and how a store is opened.

pyarrow speaks to S3, Google Cloud Storage and HDFS itself; for other schemes fsspec is asked. Whose
name and key it is, a store learns from the environment, as its own tools do: an address holds none.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage.store_errors import credentials, reason_in

_CONNECT_S, _REQUEST_S = 10, 60
_FORM = re.compile(r"([a-z][a-z0-9+.-]*)://([^/]*)/*(.*)", re.DOTALL)


class StoreLostError(BookError):
    """A store that does not answer: this ends the run, as no log is to blame."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies.

    Attributes:
        base: Scheme and bucket or host, as a store is opened.
        path: What the store calls it.
    """

    base: str
    path: str

    def __str__(self) -> str:
        """Return it as one text, as a list holds it."""
        return f"{self.base}#{self.path}"


def is_remote(name: str) -> bool:
    """Tell whether a name is an address, not a path."""
    return _FORM.match(name) is not None


def place_at(name: str, *, anonymous: bool) -> Place:
    """Take an address apart.

    Args:
        name: The address.
        anonymous: Whether the store is asked without credentials.

    Raises:
        BookError: It is none that can be read; it says why.
    """
    form = _FORM.fullmatch(name)
    scheme, at, path = form.groups() if form else ("", "", "")
    if ":" in at.rpartition("@")[0]:
        what = _("an address holds no password; it would stand in logs and lists")
        raise BookError([Problem(f"{scheme}://…", what, credentials(scheme))])
    base = f"{scheme}://{at}" + ("?anonymous" if anonymous else "")
    if scheme in {"s3", "gs"}:
        if not at:
            raise BookError([Problem(name, _("names no bucket"), f"{scheme}://BUCKET/FOLDER")])
        return Place(base, f"{at}/{path}".rstrip("/"))
    if scheme == "hdfs":
        return Place(base, "/" + path.rstrip("/"))
    return Place(base, str(_spec(name, anonymous=anonymous)[1]))


@cache
def system(base: str) -> Any:
    """Open the store that a place lies in, once.

    Raises:
        OSError: It cannot be opened.
    """
    from pyarrow import fs  # noqa: PLC0415  (it loads the stores' own libraries)

    address, _mark, how = base.partition("?")
    scheme, _colon, at = address.partition("://")
    if scheme == "s3":
        endpoint = _told("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        region = _told("AWS_REGION", "AWS_DEFAULT_REGION")
        how_to: dict[str, Any] = {"connect_timeout": _CONNECT_S, "request_timeout": _REQUEST_S}
        if endpoint:
            spoken, _colon, where = endpoint.rpartition("://")
            how_to |= {"scheme": spoken or "https", "endpoint_override": where.rstrip("/")}
        region = region or ("us-east-1" if endpoint else fs.resolve_s3_region(at))
        return fs.S3FileSystem(anonymous=bool(how), region=region, **how_to)
    if scheme == "gs":
        limit = dt.timedelta(seconds=_REQUEST_S)
        return fs.GcsFileSystem(anonymous=bool(how), retry_time_limit=limit)
    if scheme == "hdfs":
        return fs.FileSystem.from_uri(address)[0]
    return fs.PyFileSystem(fs.FSSpecHandler(_spec(address, anonymous=bool(how))[0]))


def _told(*names: str) -> str:
    """What the environment says, as the store's own tools read it."""
    return next(filter(None, map(os.environ.get, names)), "") or ""


def _spec(name: str, *, anonymous: bool) -> tuple[Any, str]:
    scheme = name.partition("://")[0]
    if find_spec("fsspec") is None:
        what = _("the scheme {scheme} needs the package fsspec").format(scheme=scheme)
        mend = _("install the extra: pip install '.[{extra}]' in a checkout")
        raise BookError([Problem(name, what, mend.format(extra="triage,remote"))])
    from fsspec.core import url_to_fs  # noqa: PLC0415  (the extra `remote`)
    from fsspec.registry import known_implementations as known  # noqa: PLC0415

    if scheme not in known or scheme in {"file", "local"}:
        what = _("this scheme is not known: {scheme}").format(scheme=scheme)
        mend = _("name a path, or an address of s3, gs, hdfs or another scheme of fsspec")
        raise BookError([Problem(name, what, mend)])
    try:
        system, path = url_to_fs(name, **({"anon": True} if anonymous else {}))
    except ImportError as error:
        what = _("the scheme {scheme} needs a package that is not installed: {reason}")
        said = what.format(scheme=scheme, reason=reason_in(error))
        mend = _("install it beside Fixbook, on every node that reads")
        raise BookError([Problem(name, said, mend)]) from None
    except (TypeError, ValueError) as error:
        raise OSError(reason_in(error)) from None
    return system, str(path)
