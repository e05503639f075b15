"""The feed of new and re-verified entries, one for each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.text.markup import plain
from generator.text.templating import render
from generator.view.coverage import active, news

if TYPE_CHECKING:
    from generator.view.edition import Edition

FEED = "feed.xml"
MOST = 50


def feed(edition: Edition, base: str) -> str:
    """Return the latest entries as Atom (RFC 4287).

    Args:
        edition: The book in one language.
        base: Address of the site, without a slash at its end.
    """
    words, lang = edition.words, edition.lang
    found = news(active(edition.library))[:MOST]
    items = [
        {
            "url": f"{base}/{lang}/{one.dossier.slug}/",
            "title": plain(one.dossier.entry.title.of(lang)),
            "summary": plain(one.dossier.entry.summary.of(lang)),
            "what": words("news_verified" if one.verified else "news_added"),
            "added": one.dossier.entry.added.isoformat(),
            "moment": one.moment,
            "categories": one.dossier.entry.categories,
        }
        for one in found
    ]
    updated = max((one.moment for one in found), default="1970-01-01T00:00:00Z")
    home = f"{base}/{lang}/"
    return render("feed.xml.j2", t=words, lang=lang, home=home, items=items, updated=updated)
