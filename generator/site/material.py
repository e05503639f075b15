"""Render a tree with MkDocs and Material, by a configuration that is written beside the tree.

Everything that is particular to them is here, in ``mkdocs*.yml`` and in ``overrides/``.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from generator import PROJECT
from generator.site.policy import theme_policy
from generator.site.search_worker import with_worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.pages.tree import Tree


class RenderError(Exception):
    """The renderer stopped; the message holds what it warned of."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What the last pass has to know of a renderer.

    Attributes:
        policy: The content security policy of its pages, as `generator.site.policy` writes it.
        mend: Takes a page and its name, and returns it with what is to be changed on any page.
    """

    policy: str
    mend: Callable[[str, str], str]


def render_material(tree: Tree, site: Path, address: str, **settings: Any) -> Rendered:
    """Render a tree as HTML files, which `generator.site.finish` finishes.

    Args:
        tree: The tree.
        site: Folder to write into; it is replaced.
        address: Where readers will find it.
        **settings: Of MkDocs, instead of those of ``mkdocs*.yml``.

    Raises:
        RenderError: MkDocs reported a warning or an error.
    """
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # a banner about MkDocs' own future, not about the book
    # MkDocs takes a quarter of a second to import; what prints Markdown does without.
    from mkdocs.commands.build import build  # noqa: PLC0415
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.exceptions import MkDocsException  # noqa: PLC0415

    said = _Said()
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.WARNING)
    logger.addHandler(said)
    try:
        config = load_config(str(_configured(tree, site, address, settings)))
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        config.plugins.on_shutdown()
        return Rendered(theme_policy(config.theme.get_env(), config), with_worker)
    except (MkDocsException, SystemExit) as error:
        raise RenderError("\n".join([*said.lines, str(error)])) from None
    finally:
        logger.removeHandler(said)


def _configured(tree: Tree, site: Path, address: str, settings: dict[str, Any]) -> Path:
    """Write the configuration of a tree, with which ``mkdocs build -f`` renders it, too."""
    path = tree.folder / "mkdocs.yml"
    own = {
        "INHERIT": os.path.relpath(PROJECT / f"mkdocs.{tree.lang}.yml", tree.folder),
        "docs_dir": tree.pages.name,
        "site_dir": os.path.relpath(site, tree.folder),
        "site_url": address,
        "theme": {"custom_dir": os.path.relpath(PROJECT / "overrides", tree.folder)},
        "nav": tree.navigation(),
        "strict": True,
    }
    path.write_text(yaml.safe_dump(own | settings, allow_unicode=True, sort_keys=False), "utf-8")
    return path


class _Said(logging.Handler):
    """Keeps what MkDocs warns of: where it is strict, these lines are the reason it stops."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")
