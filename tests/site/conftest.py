"""Books, built sites and a browser for the tests of the site."""

from __future__ import annotations

import contextlib
import importlib.metadata
import shutil
import threading
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from fixbook.environment import installed_version
from fixbook.problem import BookError
from generator.site.build import build_site
from generator.site.server import server
from generator.view.library import Library, load_library
from tests.site.small_book import write_book
from tests.site.visit import Visit, quiet_visit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import NoReturn

    from playwright.sync_api import Browser

    from generator.site.watch import Changes

    Built = Callable[[str], Path]  # "small" or "real"

_LIBRARY = {"small": "library", "real": "real_library"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session", autouse=True)
def _wheel_at_hand(wheel_at_hand: None) -> None:
    """Build the wheel of all sites once."""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Return the small book, ready to be rendered."""
    return load_library(write_book(tmp_path_factory.mktemp("book")))


@pytest.fixture(scope="session")
def real_library() -> Library:
    """Return the real book; one that cannot be rendered fails every test that asks for it."""
    try:
        with packages_unseen():
            return load_library()
    except BookError as error:
        pytest.fail(f"the book cannot be rendered:\n{error}", pytrace=False)


@contextlib.contextmanager
def packages_unseen() -> Iterator[None]:
    """Let whoever asks for the version of an installed package fail: no page depends on one."""

    def asked(name: str) -> NoReturn:
        raise AssertionError(f"asked which {name} is installed where the site is built")

    installed_version.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for question in ("version", "requires", "metadata"):
            patch.setattr(importlib.metadata, question, asked)
        yield


@pytest.fixture(scope="session")
def built(request: pytest.FixtureRequest, shared_folder: Path) -> Built:
    """Return what builds the site of a book: once in a run, whatever worker asks first."""

    def build(name: str) -> Path:
        out = shared_folder / f"site-of-{name}"
        with FileLock(f"{out}.lock"):
            if not out.is_dir():
                unfinished = shared_folder / f"{out.name}-unfinished"
                library = request.getfixturevalue(_LIBRARY[name])
                with packages_unseen():
                    build_site(library, unfinished)
                unfinished.rename(out)
        return out

    return build


@pytest.fixture(scope="session", params=["small", "real"])
def site(request: pytest.FixtureRequest, built: Built) -> Path:
    """Return a built site, of the small book and of the real one."""
    return built(request.param)


@pytest.fixture(scope="session")
def small_site(built: Built) -> Path:
    """Return a built site of the small book alone."""
    return built("small")


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve a built site on a free port of this machine and return its address."""
    with served(site) as found:
        yield found


@pytest.fixture(scope="session")
def small_address(small_site: Path) -> Iterator[str]:
    """Serve the site of the small book and return its address."""
    with served(small_site) as found:
        yield found


@contextlib.contextmanager
def served(site: Path, changes: Changes | None = None) -> Iterator[str]:
    """Serve a folder on a free port of this machine and give its address."""
    with server(site, 0, changes) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_address[1]}"
        listening.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a headless Chromium; without one the test fails and says what to install."""
    from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        try:
            found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            pytest.fail(
                "no browser to test the site with: install Chromium (scripts/install-browser), "
                f"or deselect these tests with -m 'not browser'\n{error}",
                pytrace=False,
            )
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, small_address: str) -> Iterator[Visit]:
    """Return a page of the small book's site; nothing may go wrong on it."""
    with quiet_visit(browser, small_address) as seen:
        yield seen


def article_of(site: Path) -> str:
    """Return the slug of the first entry of a built site."""
    return min(path.stem for path in (site / "api/v1/en/entries").glob("*.json"))
