"""The built site: complete, linked, the same in both languages, and without outside requests."""

from __future__ import annotations

import copy
import datetime as dt
import json
import re
import struct
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
import yaml
from jsonschema.validators import validator_for

from fixbook.text import LANGS, Lang
from generator import PROJECT
from generator.exports.feed import MOST
from generator.site.build import SiteError, build_site
from generator.text.markup import TITLE
from generator.text.page_text import too_long
from generator.text.plainness import too_winding
from generator.view.library import load_library
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY

if TYPE_CHECKING:
    from pathlib import Path

    from generator.view.library import Library

BASE = "http://site.test"
LARGEST = 13_000  # bytes of one page as JSON


class Parsed(HTMLParser):
    """The ids and addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.head: dict[str, str] = {}
        self.lang = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values["id"]} if "id" in values else set()
        self.lang = values.get("lang", "") if tag == "html" else self.lang
        rel = values.get("rel", "").strip()
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in {"script", "img"} and "src" in values:
            self.loads.append(values["src"])
        elif tag == "link" and rel in {"stylesheet", "icon"}:
            self.loads.append(values["href"])
        elif tag == "link":
            self.head[f"{rel} {values.get('hreflang', '')}".strip()] = values["href"]
        elif tag == "meta" and "name" in values:
            self.head[values["name"]] = values.get("content", "")


@pytest.fixture(scope="session")
def parsed(site: Path) -> dict[str, Parsed]:
    """Return every HTML page by its address below the site's root."""
    return {
        "/" + path.relative_to(site).as_posix().removesuffix("index.html"): Parsed(
            path.read_text("utf-8")
        )
        for path in site.rglob("*.html")
    }


def is_page(address: str) -> bool:
    return not address.endswith("404.html") and address != "/"


def test_every_link_and_anchor_resolves(site: Path, parsed: dict[str, Parsed]) -> None:
    broken = []
    for address, page in parsed.items():
        for link in page.links + page.loads:
            target = urlsplit(urljoin(BASE + address, link))
            if f"{target.scheme}://{target.netloc}" not in {BASE, "http://127.0.0.1:8000"}:
                continue
            path, anchor = unquote(target.path), unquote(target.fragment)
            if path in parsed:
                if anchor and anchor not in parsed[path].ids:
                    broken.append(f"{address} -> {link}: no such anchor")
            elif not (site / path.lstrip("/")).is_file():
                broken.append(f"{address} -> {link}: no such file")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path, parsed: dict[str, Parsed]) -> None:
    loads = {load for page in parsed.values() for load in page.loads}
    assert [load for load in loads if urlsplit(load).netloc] == []
    for path in site.rglob("*.css"):
        text = path.read_text("utf-8")
        outside = [
            url for url in re.findall(r"url\(([^)]*)\)", text) if "//" in url and "data:" not in url
        ]
        assert outside == [], path.name


def test_both_languages_have_the_same_pages(parsed: dict[str, Parsed]) -> None:
    zh, en = ({p[4:] for p in parsed if p.startswith(f"/{lang}/")} for lang in LANGS)
    assert zh == en


def test_both_languages_share_their_anchors(parsed: dict[str, Parsed]) -> None:
    for address, page in parsed.items():
        if address.startswith("/zh/"):
            twin = parsed[address.replace("/zh/", "/en/", 1)]
            own = {name for name in page.ids if not name.startswith("__")}
            assert own == {name for name in twin.ids if not name.startswith("__")}, address


@pytest.mark.parametrize("lang", LANGS)
def test_articles_are_short(site: Path, real_library: Library, lang: Lang) -> None:
    """What a reader sees of an article without opening anything stays below the limit."""
    pages = {slug: site / lang / slug / "index.html" for slug in real_library.dossiers}
    shown = {slug: page.read_text("utf-8") for slug, page in pages.items() if page.is_file()}
    entries = {slug: real_library.dossiers[slug].item.entry for slug in shown}
    long = {slug: too_long(text, lang) for slug, text in shown.items()}
    long |= {f"{slug}, sentences": too_winding(entry, lang) for slug, entry in entries.items()}
    assert [f"{slug}: {why}" for slug, why in long.items() if why] == []


def test_every_page_tells_machines_what_it_is(parsed: dict[str, Parsed]) -> None:
    descriptions: dict[str, str] = {}
    for address, page in parsed.items():
        if not is_page(address):
            continue
        lang, rest = address[1:3], address[4:]
        root = "http://127.0.0.1:8000"
        assert page.lang == lang, address
        assert page.head["canonical"] == root + address
        assert page.head["alternate zh"] == f"{root}/zh/{rest}"
        assert page.head["alternate en"] == f"{root}/en/{rest}"
        assert page.head["alternate x-default"].startswith(root)
        assert 5 < len(page.head["description"]) < 320, address
        assert page.head["description"] not in descriptions, (address, descriptions)
        descriptions[page.head["description"]] = address


def test_the_site_has_what_crawlers_and_browsers_ask_for(site: Path) -> None:
    names = "index.html 404.html favicon.svg robots.txt zh/sitemap.xml en/sitemap.xml zh/404.html"
    for name in names.split():
        assert (site / name).is_file(), name
    root = (site / "index.html").read_text("utf-8")
    assert 'href="zh/"' in root
    assert 'href="en/"' in root
    assert "navigator.languages" in root


def test_titles_fit_a_list_of_results(site: Path, real_library: Library) -> None:
    for lang in LANGS:
        script = (site / lang / "search/fixbook.js").read_text("utf-8")
        index = json.loads(script.partition("=")[2].rstrip(";\n"))
        shown = [card["title"] for card in index["titles"].values()]
        shown += index["pageTitles"].values()
        assert len(shown) > len(real_library.dossiers) or "small" in site.name
        assert [title for title in shown if len(title) > TITLE] == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_feed_names_the_latest_entries(site: Path, lang: Lang) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    root = ET.fromstring((site / lang / "feed.xml").read_text("utf-8"))  # noqa: S314
    base = f"http://127.0.0.1:8000/{lang}/"
    assert root.findtext(f"{atom}id") == base
    found = root.findall(f"{atom}entry")
    slugs = {path.stem for path in (site / f"api/v1/{lang}/entries").glob("*.json")}
    named = {one.findtext(f"{atom}id") for one in found}
    assert named <= {f"{base}{slug}/" for slug in slugs}
    assert len(found) == len(named) == min(len(slugs), MOST)
    moments = [one.findtext(f"{atom}updated") or "" for one in found]
    assert moments == sorted(moments, reverse=True)
    for one in found:
        for name in ("updated", "published"):
            assert dt.datetime.fromisoformat(one.findtext(f"{atom}{name}") or "").tzinfo
        assert one.findtext(f"{atom}summary")


def test_every_page_has_a_preview(site: Path) -> None:
    for lang in LANGS:
        for path in (site / lang).rglob("index.html"):
            meta = dict(
                re.findall(r'<meta property="([^"]+)" content="([^"]*)">', path.read_text("utf-8"))
            )
            assert meta["og:title"], path
            assert meta["og:description"], path
            picture = urlsplit(meta["og:image"])
            assert picture.scheme == "http", path
            drawn = (site / picture.path.lstrip("/")).read_bytes()
            assert struct.unpack(">II", drawn[16:24]) == (1200, 630)
            if meta["og:type"] == "article":
                assert dt.date.fromisoformat(meta["article:modified_time"])


def test_the_root_404_page_searches_both_languages(site: Path) -> None:
    page = (site / "404.html").read_text("utf-8")
    assert re.findall(r'<form [^>]*action="([^"]+)"', page) == ["/zh/", "/en/"]
    assert page.count('name="q"') == 2


def test_exports_hold_to_their_schema(site: Path) -> None:
    """Each page in one language, small enough to read at once, and Markdown at its address."""
    api = site / "api/v1"
    meta = json.loads((api / "meta.json").read_text("utf-8"))
    for kind, folder in (("article", "entries"), ("message", "messages")):
        schema = json.loads((api / f"schema/{kind}.json").read_text("utf-8"))
        validator = validator_for(schema)
        validator.check_schema(schema)  # once: validate() of the library does so for each page
        for lang in LANGS:
            for head in json.loads((api / lang / "index.json").read_text("utf-8"))[folder]:
                path = site / urlsplit(head["json"]).path.lstrip("/")
                text = path.read_text("utf-8")
                validator(schema).validate(json.loads(text))
                assert len(text.encode()) < LARGEST, path.name
                if kind == "article":
                    assert (site / urlsplit(head["url"]).path.lstrip("/") / "index.html").is_file()
                    shown = (site / urlsplit(head["markdown"]).path.lstrip("/")).read_text("utf-8")
                    assert shown.startswith("# ")
                    assert (api / "evidence" / path.name).is_file()
    osv = set(json.loads((api / "osv/index.json").read_text("utf-8"))["records"])
    assert {path.stem for path in (api / "osv").glob("*.json")} == osv | {"index"}
    for address in meta["files"].values():
        path = urlsplit(address).path.lstrip("/").replace("{lang}", "en")
        assert list(site.glob(re.sub(r"{(slug|id)}", "*", path))), address


def test_lists_for_language_models_lead_on(site: Path) -> None:
    """The first is short; every address in it and in the lists below it is there."""
    text = (site / "llms.txt").read_text("utf-8")
    assert len(text) < 8000, "2,000 tokens"
    lists = [text, *(path.read_text("utf-8") for path in (site / "en/llms").glob("*.txt"))]
    addresses = {one for listed in lists for one in re.findall(r"\]\((http[^)]+)\)", listed)}
    assert addresses
    for one in addresses:
        assert (site / urlsplit(one).path.lstrip("/")).is_file(), one
    skill = (site / "skills/fixbook/SKILL.md").read_text("utf-8")
    assert skill.startswith("---\nname: fixbook\n")


def test_languages_differ_only_where_they_must() -> None:
    configs = {}
    for lang in LANGS:
        config = yaml.safe_load((PROJECT / f"mkdocs.{lang}.yml").read_text("utf-8"))
        for key in ("site_name", "site_description"):
            config.pop(key)
        config["markdown_extensions"]["toc"].pop("permalink_title")
        for palette in config["theme"]["palette"]:
            palette["toggle"].pop("name")
        text = yaml.safe_dump(config)
        configs[lang] = re.sub(rf"\b{lang}\b", "LANG", text)
    assert configs["zh"] == configs["en"]


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["cause"]["en"] = "See [the fix](#fix-that-is-not-there)."
    library = load_library(write_book(tmp_path / "book", entry))
    with pytest.raises(SiteError, match="fix-that-is-not-there"):
        build_site(library, tmp_path / "site")


def test_the_address_of_the_site_can_be_chosen(library: Library, tmp_path: Path) -> None:
    build_site(library, tmp_path, "https://example.org/books/fixbook/")
    page = (tmp_path / "zh" / "evidence" / "index.html").read_text("utf-8")
    assert 'href="https://example.org/books/fixbook/en/evidence/"' in page
    assert "127.0.0.1" not in page


@pytest.mark.parametrize("lang", LANGS)
def test_a_picture_comes_with_the_page_that_shows_it(small_site: Path, lang: str) -> None:
    page = (small_site / lang / "architecture/index.html").read_text("utf-8")
    assert 'src="../rooms.svg"' in page
    assert (small_site / lang / "rooms.svg").read_text("utf-8").startswith("<svg ")
