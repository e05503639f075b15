"""Every page has a content security policy, needs nothing that it forbids, and is held to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from generator.site.policy import PolicyError, check_policy, policy, with_policy
from generator.site.watch import Changes
from tests.site.conftest import article_of, served
from tests.site.visit import Visit, answered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

_META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_CHARSET_WITHIN = 1024  # bytes in which a browser looks for the encoding
_RECORD = """
    window.refused = [];
    addEventListener("securitypolicyviolation", (event) =>
      window.refused.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample));
"""
_ATTACKS = {
    "a script": ("<script>window.ran = 1</script>", "script-src-elem inline"),
    "a handler": ("<img src=none.png onerror='window.ran = 1'>", "script-src-attr inline"),
    "a link": ("<a id=go href='javascript:window.ran = 1'>x</a>", "script-src-elem inline"),
    "an image": ("<img src=http://127.0.0.2:9/x.png>", "img-src http://127.0.0.2:9/x.png"),
    "a far script": ("<script src=http://127.0.0.2:9/x.js></script>", "script-src-elem http"),
    "a frame": ("<iframe src=http://127.0.0.2:9/></iframe>", "frame-src"),
    "an object": ("<object data=x.swf></object>", "object-src"),
    "a base": ("<base href=http://127.0.0.2:9/>", "base-uri"),
    "a style": ("<p style='position: fixed'>x</p>", "style-src-attr inline"),
    "a style sheet": ("<style>body { display: none }</style>", "style-src-elem inline"),
}


def test_every_page_begins_with_a_strict_policy(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if "python" not in path.parts]
    assert len(pages) > 20
    for path in pages:
        page = path.read_text("utf-8")
        check_policy(page, path.name)
        said = _META.search(page)
        assert said, path
        assert "unsafe" not in said[1]
        assert "http" not in said[1]
        assert said[1].startswith("default-src 'none'; ")
        assert page.encode().find(b'charset="utf-8"') < _CHARSET_WITHIN


def test_pages_of_a_language_have_one_policy(site: Path) -> None:
    found = {_META.findall(path.read_text("utf-8"))[0] for path in site.glob("??/**/*.html")}
    assert len(found) == 1, "it comes from the theme, not from what a page holds"


@pytest.mark.parametrize(
    "body",
    [
        "<script>hostile()</script>",
        "<SCRIPT type=module>hostile()</SCRIPT>",
        "<style>p { color: red }</style>",
        '<p class="a" onclick="hostile()">x</p>',
        '<p style="color: red">x</p>',
        '<img src="https://example.org/a.png">',
        '<script src="//example.org/a.js"></script>',
    ],
)
def test_a_page_that_needs_more_is_refused(body: str) -> None:
    page = with_policy("<html><head><title>x</title></head><body>{}</body></html>")
    check_policy(page.format("<p>fine</p>"), "a.html")
    with pytest.raises(PolicyError, match=r"^a\.html holds what its content security policy"):
        check_policy(page.format(body), "a.html")


def test_a_page_without_a_policy_is_refused() -> None:
    said = f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
    for head in ("", f"<script>early()</script>{said}"):
        with pytest.raises(PolicyError, match="does not begin with"):
            check_policy(f"<head>{head}</head><p>x</p>", "a.html")


@pytest.fixture
def visit(browser: Browser, small_address: str) -> Iterator[Visit]:
    seen = Visit(browser, small_address)
    seen.context.add_init_script(_RECORD)
    yield seen
    seen.context.close()


def _kinds(site: Path) -> list[str]:
    """One page of every kind, by its address."""
    slug = article_of(site)
    kinds = ["/", "/404.html", "/nothing"]
    for lang in ("zh", "en"):
        below = ["", f"{slug}/", f"{slug}/evidence/", "diagnose/", "entries/", "rules/", "nothing/"]
        below += ["symptoms/", "reference/", "claims/", "evidence/", "about/", "contribute/"]
        below += ["checking/", "finding/", "reading-evidence/"]
        for folder in ("rules", "symptoms"):
            pages = sorted((site / lang / folder).glob("*/index.html"))
            below += [f"{folder}/{page.parent.name}/" for page in pages[:1]]
        kinds += [f"/{lang}/{path}" for path in below if "nothing" in path
                  or (site / lang / path / "index.html").is_file()]  # fmt: skip
    return kinds


@pytest.mark.browser
def test_no_page_meets_its_policy_as_a_wall(visit: Visit, address: str, site: Path) -> None:
    seen = _kinds(site)
    for path in seen:
        page = visit.open(address + path)
        assert page.evaluate("window.refused") == [], path
    assert [text for text in visit.wrong if "404" not in text] == []
    assert len(seen) > 25


@pytest.mark.browser
def test_pages_opened_as_files_work(visit: Visit, small_site: Path) -> None:
    page = visit.page
    page.goto((small_site / "en/diagnose/index.html").as_uri())
    page.locator("#fb-diagnose-text").fill("widget 7 overflowed")
    page.locator("[data-fb-diagnose] button[type=submit]").click()
    answered(page)
    page.goto((small_site / "en/entries/index.html").as_uri())
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("overflowed")
    page.wait_for_selector(".md-search-result__item")
    assert page.evaluate("window.refused") == []
    assert visit.wrong == []


@pytest.mark.browser
@pytest.mark.parametrize("name", _ATTACKS)
def test_what_gets_into_a_page_is_not_run(
    visit: Visit, small_site: Path, tmp_path: Path, name: str
) -> None:
    markup, refused = _ATTACKS[name]
    whole = (small_site / "en/about/index.html").read_text("utf-8")
    attacked = whole.replace("</article>", markup + "</article>")
    assert attacked != whole
    (tmp_path / "index.html").write_text(attacked, "utf-8")
    (tmp_path / "bare.html").write_text(_META.sub("", attacked), "utf-8")
    with served(tmp_path) as address:
        page = visit.open(address + "/")
        page.evaluate("document.getElementById('go')?.click()")
        page.wait_for_timeout(100)
        found = page.evaluate("window.refused")
        assert page.evaluate("window.ran") is None
        assert any(one.startswith(refused) for one in found), found
        page.goto(address + "/bare.html")
        assert page.evaluate("window.refused") == [], "without the policy nothing is refused"


@pytest.mark.browser
def test_the_local_servers_pages_reload_within_the_policy(visit: Visit, small_site: Path) -> None:
    changes = Changes()
    with served(small_site, changes) as address:
        page = visit.page
        page.goto(address + "/en/about/")
        page.wait_for_function("() => document.querySelector('script[data-changes]')")
        changes.tell("entry.yaml:3: wrong")
        box = page.wait_for_selector("#fb-build-error")
        assert box is not None
        assert box.inner_text() == "entry.yaml:3: wrong"
        assert box.evaluate("box => getComputedStyle(box).position") == "fixed"
        with page.expect_navigation():
            changes.tell()
        assert page.evaluate("window.refused") == []
    assert visit.wrong == []
