"""Hand the rendered pages to MkDocs. Everything MkDocs-specific is here and in ``mkdocs*.yml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files

from generator.ask import ASK, ask_box
from generator.guard import as_html, as_text
from generator.live_markup import MarkupError, check_markup
from generator.nav import files, navigation, pages
from generator.policy import PolicyError, check_policy, theme_policy
from generator.search_worker import WorkerError, worker_name
from generator.site_pages import indexed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page
    from mkdocs.structure.toc import AnchorLink

    from generator.edition import Edition


class Pages(BasePlugin):  # type: ignore[misc]  # MkDocs is not typed
    """Adds the navigation and the generated pages of one edition to a build.

    Args:
        edition: The book in the language of the build.
        stock_search: True to leave all pages to Material's own search, as a comparison needs it.
    """

    def __init__(self, edition: Edition, *, stock_search: bool = False) -> None:
        self._edition = edition
        self._stock_search = stock_search

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Write the navigation, which depends on the entries."""
        config.nav = navigation(self._edition)
        try:
            config.extra["search_worker"] = worker_name(config.theme.dirs)
        except WorkerError as error:
            raise PluginError(str(error)) from None
        config.extra["root_url"] = config.site_url.rstrip("/").rpartition("/")[0] + "/"
        return config

    def on_env(self, env: Environment, /, config: MkDocsConfig, **_others: object) -> Environment:
        """Work out what the pages may run, before any of them is made."""
        config.extra["policy"] = theme_policy(env, config)
        return env

    def on_page_markdown(self, markdown: str, /, page: Page, **_others: object) -> str:
        """Put the box to ask where a page wants it; keep from Material's index what ours has.

        Ours indexes entries and messages from their own fields: parsing their pages takes long.
        """
        page.meta["title_text"] = as_text(str(page.title or ""))
        page.meta["description_text"] = as_text(page.meta.get("description") or "")
        if not self._stock_search and indexed(page.url, self._edition.library.book):
            page.meta["search"] = {"exclude": True}
        return markdown.replace(ASK, ask_box(self._edition.words))

    def on_page_content(self, content: str, /, page: Page, **_others: object) -> str:
        """Give back as text what was guarded, and refuse a page on which markup became live.

        Raises:
            PluginError: The page holds an element, an attribute or an address that no page has.
        """
        shown = as_html(content)
        try:
            check_markup(shown, page.file.src_uri)
        except MarkupError as error:
            raise PluginError(str(error)) from None
        _give_back(page.toc.items)
        return shown

    def on_post_page(self, output: str, /, page: Page, **_others: object) -> str:
        """Give back as text what was guarded around the content: titles, the description.

        Raises:
            PluginError: The page needs what its policy forbids.
        """
        return _finished(output, page.file.src_uri)

    def on_post_template(self, output: str, /, template_name: str, **_others: object) -> str:
        """The same for the page of a missing address, which holds the navigation."""
        whole = template_name.endswith(".html")
        return _finished(output, template_name) if whole else as_html(output)

    def on_files(self, files_: Files, /, config: MkDocsConfig) -> Files:
        """Add the generated pages and downloads."""
        for page in pages(self._edition):
            files_.append(File.generated(config, page.path, content=page.text))
        for download in files(self._edition.library):
            files_.append(File.generated(config, download.path, content=download.content))
        return files_


def _finished(output: str, name: str) -> str:
    shown = as_html(output)
    try:
        check_policy(shown, name)
    except PolicyError as error:
        raise PluginError(str(error)) from None
    return shown


def _give_back(items: Iterable[AnchorLink]) -> None:
    for item in items:
        item.title = as_html(item.title)
        _give_back(item.children)
