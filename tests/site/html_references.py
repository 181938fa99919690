"""References of a file of the site: its links, what it loads, and its anchors."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urlsplit

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "use": "href"}
LOADED = {"stylesheet", "icon", "preload", "modulepreload"}  # relations of a <link> that a browser follows by itself
ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)")


class Page(NamedTuple):
    """References of a page: `named` are (address, whether the browser loads it by itself), `places` its anchors.

    `later` are the addresses that the browser loads when they come near the window.
    """

    named: list[tuple[str, bool]]
    places: list[str]
    later: set[str]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.named, self.places, self.later, self.style = [], [], set(), False

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.places.append(given["id"])
        if tag == "a" and given.get("name"):
            self.places.append(given["name"])
        if tag in ("a", "area") and given.get("href") is not None:
            self.named.append((given["href"], False))
        if tag == "link" and given.get("href"):
            self.named.append((given["href"], bool(LOADED & set((given.get("rel") or "").split()))))
        if tag in LOADS and given.get(LOADS[tag]):
            self.named.append((given[LOADS[tag]], True))
            if given.get("loading") == "lazy":
                self.later.add(given[LOADS[tag]])
        self.named += [(each, True) for each in ADDRESS.findall(given.get("style") or "")]
        self.style = tag == "style"

    def handle_data(self, data):
        if self.style:
            self.named += [(each, True) for each in ADDRESS.findall(data)]
            self.style = False


def page(path: Path) -> Page:
    """Return the references of a page, and its anchors."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return Page(reader.named, reader.places, reader.later)


def sheet(path: Path) -> list[str]:
    """Return what a style sheet loads."""
    return ADDRESS.findall(path.read_text(encoding="utf-8"))


def is_elsewhere(address: str) -> bool:
    """Return whether an address names a host, or begins at the root of one, where the site may not be."""
    parts = urlsplit(address)
    return bool(parts.scheme in ("http", "https") or parts.netloc or address.startswith("/"))


def target(path: Path, address: str) -> tuple[Path, str] | None:
    """Return (the file that an address of a page leads to, the anchor in it), or None for what is not a file."""
    whole, place = urldefrag(address)
    if is_elsewhere(whole) or urlsplit(whole).scheme:
        return None
    name = unquote(urlsplit(whole).path)
    found = (path.parent / name).resolve() if name else path
    return (found / "index.html" if found.is_dir() else found), unquote(place)
