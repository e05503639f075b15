"""Render a tree with MkDocs and Material, by a configuration that is written beside the tree.

Everything that is particular to them is here, in ``mkdocs*.yml`` and in ``overrides/``.
"""

from __future__ import annotations

import contextlib
import logging
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.text import _
from generator import PROJECT
from generator.site.policy import theme_policy
from generator.site.search_worker import with_worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mkdocs.config.defaults import MkDocsConfig

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
    with _heard():
        # MkDocs takes a quarter of a second to import; what prints Markdown does without.
        from mkdocs.commands.build import build  # noqa: PLC0415

        config = _loaded(tree, site, address, settings)
        build(config)
        config.plugins.on_shutdown()
        return _rendered(config)


class SinglePages:
    """Renders pages of a tree one by one, in milliseconds, once it has been rendered whole.

    Args:
        tree: The tree.
        site: Folder that the whole was written into.
        address: Where readers will find it.

    Raises:
        RenderError: MkDocs reported a warning or an error.
    """

    def __init__(self, tree: Tree, site: Path, address: str) -> None:
        with _heard():
            from mkdocs.structure.files import get_files, set_exclusions  # noqa: PLC0415
            from mkdocs.structure.nav import get_navigation  # noqa: PLC0415

            self._config = config = _loaded(tree, site, address, {})
            config.plugins.on_config(config)
            env = config.theme.get_env()
            files = get_files(config)
            files.add_files_from_theme(env, config)
            self._files = config.plugins.on_files(files, config=config)
            set_exclusions(self._files, config)
            navigation = get_navigation(self._files, config)
            self._navigation = config.plugins.on_nav(navigation, config=config, files=files)
            self._env = config.plugins.on_env(env, config=config, files=files)
            self.rendered = _rendered(config)

    def render(self, path: str) -> str:
        """Return a page as the theme shows it.

        Args:
            path: Of its Markdown below the pages of the tree, read anew.

        Raises:
            RenderError: There was no such page, or MkDocs reported a warning or an error.
        """
        file = self._files.get_file_from_path(path)
        if file is None:
            raise RenderError(_("{page} was not in the tree").format(page=path))
        with _heard() as said:
            from mkdocs.commands.build import get_context  # noqa: PLC0415
            from mkdocs.structure.pages import Page  # noqa: PLC0415

            config, page = self._config, file.page or Page(None, file, self._config)
            page.read_source(config)
            page.render(config, self._files)
            page.active = True  # its branch of the navigation is open
            try:
                context = get_context(self._navigation, self._files, config, page)
                context = config.plugins.on_page_context(
                    context, page=page, config=config, nav=self._navigation
                )
                made: str = self._env.get_template("main.html").render(context)
            finally:
                page.active = False
        if said:
            raise RenderError("\n".join(said))
        return made


def _loaded(tree: Tree, site: Path, address: str, settings: dict[str, Any]) -> MkDocsConfig:
    from mkdocs.config import load_config  # noqa: PLC0415

    config = load_config(str(_configured(tree, site, address, settings)))
    config.plugins.on_startup(command="build", dirty=False)
    return config


def _rendered(config: MkDocsConfig) -> Rendered:
    return Rendered(theme_policy(config.theme.get_env(), config), with_worker)


@contextlib.contextmanager
def _heard() -> Iterator[list[str]]:
    """Give what MkDocs warns of: where it is strict, these lines are the reason it stops.

    Raises:
        RenderError: It stopped.
    """
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # a banner about MkDocs' own future, not about the book
    from mkdocs.exceptions import MkDocsException  # noqa: PLC0415

    said = _Said()
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.WARNING)
    logger.addHandler(said)
    try:
        yield said.lines
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
    """Keeps what MkDocs warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")
