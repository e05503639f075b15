"""Hand the rendered pages to MkDocs. Everything MkDocs-specific is here and in ``mkdocs*.yml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from fixbook.problem import BookError
from generator.library import Library, current_library
from generator.nav import files, navigation, pages
from generator.search_worker import WorkerError, worker_name

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from fixbook.entry import Lang


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write the navigation, which depends on the entries."""
    config.nav = navigation(_library(), _lang(config))
    base = (config.site_url or "").rstrip("/")
    try:
        config.extra["search_worker"] = worker_name(config.theme.dirs)
    except WorkerError as error:
        raise PluginError(str(error)) from None
    config.extra["root_url"] = base.rpartition("/")[0] + "/" if base else ""
    return config


def on_files(files_: Files, /, config: MkDocsConfig) -> Files:
    """Add the generated pages and downloads."""
    library = _library()
    for page in pages(library, _lang(config)):
        files_.append(File.generated(config, page.path, content=page.text))
    for download in files(library):
        files_.append(File.generated(config, download.path, content=download.content))
    return files_


def _lang(config: MkDocsConfig) -> Lang:
    return cast("Lang", config.extra["lang"])


def _library() -> Library:
    try:
        return current_library()
    except BookError as error:
        raise PluginError(f"the book cannot be rendered:\n{error}") from None
