"""The content security policy of every page: what a browser may run, show and ask on it.

Whatever gets past `generator.text.guard` and `generator.site.live_markup` is not run: the only
inline scripts that a browser accepts are those of the theme and of our own templates, by their
hash, worked out from these templates and never from a page that shows texts of the book.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING

from fixbook.text import _
from generator.site.live_markup import attributes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig

# What Material's base.html writes between <script> and </script> for the features of this site.
_THEME = ("base", "palette", "content")
_DIRECTIVES = (
    ("default-src", "'none'"),
    ("script-src", "'self'"),
    ("style-src", "'self'"),
    ("img-src", "'self' data:"),  # the icons in Material's style sheets
    ("connect-src", "'self'"),
    ("worker-src", "'self' blob:"),  # on file://, which loads no workers, they are made of text
    ("manifest-src", "'self'"),
    ("form-action", "'self'"),
    ("base-uri", "'none'"),
)
_HEAD = re.compile(r"<head>\s*")
_META = re.compile(r'<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_INLINE = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_DATA = re.compile(r"""\btype=["']?application/(?:ld\+)?json\b""")
# Tags that may hold what is forbidden; what they hold is then read as a browser reads it.
_SUSPECT = re.compile(r"<[a-zA-Z][^<>]*?\s(?:on[a-z]+|style|src|data)\s*=", re.IGNORECASE)
_LOADED = {"src", "data", "srcdoc"}
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//|\s*(?!data:image/)[a-z]+:", re.IGNORECASE)
_LONGEST = 20_000  # characters of a tag


class PolicyError(Exception):
    """A page needs what its own policy forbids; the message names it."""


def policy(scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> str:
    """Return a policy.

    Args:
        scripts: What stands in the inline scripts that may run.
        styles: What stands in the inline style sheets that may be used.
    """
    more = {"script-src": scripts, "style-src": styles}
    parts = []
    for name, allowed in _DIRECTIVES:
        hashes = sorted({_hash(text) for text in more.get(name, ())})
        parts.append(" ".join([name, allowed, *hashes]))
    return "; ".join(parts)


def theme_policy(environment: Environment, config: MkDocsConfig) -> str:
    """Return the policy of the pages that MkDocs builds.

    Args:
        environment: The theme's templates.
        config: MkDocs' configuration.
    """
    scripts = []
    for name in _THEME:
        template = environment.get_template(f"partials/javascripts/{name}.html")
        shown = template.render(config=config, features=config.theme["features"], base_url="")
        scripts += [text for kind, text in _inline(shown) if kind == "script"]
    return policy(scripts)


def with_policy(page: str) -> str:
    """Return a page of our own template, which shows no text of the book, with its policy.

    Args:
        page: The page; its inline scripts and style sheets are what may run.
    """
    kinds: dict[str, list[str]] = {"script": [], "style": []}
    for kind, text in _inline(page):
        kinds[kind].append(text)
    said = policy(kinds["script"], kinds["style"])
    meta = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{said}">\n'
    return _HEAD.sub(lambda _: meta, page, count=1)


def check_policy(page: str, name: str) -> None:
    """See to it that a page begins with a policy and needs nothing that it forbids.

    Args:
        page: The page, as HTML.
        name: Its name, for the message.

    Raises:
        PolicyError: A browser would not show the page as it is meant.
    """
    found = _META.search(page)
    if not found:
        raise PolicyError(
            _("{page} does not begin with a content security policy").format(page=name)
        )
    wrong = [f"<{kind}>{text.strip()[:60]}" for kind, text in _inline(page)
             if _hash(text) not in found[1]]  # fmt: skip
    wrong += [page[one.start() :][:80] for one in _SUSPECT.finditer(page)
              if _forbidden(page[one.start() :][:_LONGEST])]  # fmt: skip
    if wrong:
        what = _(
            "{page} holds what its content security policy forbids: {shown!r}; "
            "put scripts and styles into files of overrides/assets"
        )
        raise PolicyError(what.format(page=name, shown=wrong[0]))


def _forbidden(tag: str) -> bool:
    return any(
        name.startswith("on") or name == "style" or (name in _LOADED and _ELSEWHERE.match(value))
        for name, value in attributes(tag).items()
    )


def _inline(page: str) -> list[tuple[str, str]]:
    """What a browser would run or use of a page itself, with its kind."""
    return [
        (one[1].lower(), one[3])
        for one in _INLINE.finditer(page)
        if " src=" not in one[2] and not _DATA.search(one[2])
    ]


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
