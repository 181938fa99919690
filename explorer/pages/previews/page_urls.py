"""Where a page and the picture of its state are, and the tags that tell it to those who show its link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from explorer.exports.card import HEIGHT, WIDTH
from explorer.markup import joined, markup
from explorer.pages.summary import OTHERS, PRODUCT
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.summary import Summary

HOST = re.compile(r"[\w.-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?", re.ASCII)
HOME = "home"
PROTOCOLS = ("http", "https")
_served: list[bool] = []  # not empty where this process answers with pictures


class PageUrls(NamedTuple):
    """The addresses of a page, and of the picture of its state; empty where there is none."""

    page: str = ""
    picture: str = ""


def serve_pictures() -> None:
    """Let the pages of this process name the addresses of their pictures: its server answers there."""
    _served[:] = [True]


def has_picture(name: str) -> bool:
    """Whether there is a page of a name, and so a picture."""
    return name in (HOME, *OTHERS, *registry.names())


def protocol_of(headers: Mapping[str, Any], own: str) -> str:
    """The protocol by which a browser reaches this server, be it through a proxy that says so."""
    told = headers.get("X-Forwarded-Proto") or headers.get("x-forwarded-proto")
    return told if told in PROTOCOLS else own


def urls_of(protocol: str, host: str, path: str, query: str) -> PageUrls:
    """The Place of the page at a path of a host; `query` is of words of ours alone."""
    if protocol not in PROTOCOLS or not HOST.fullmatch(host):
        return PageUrls()
    folder, _, name = path.rpartition("/")
    folder, words = f"{protocol}://{host}{quote(folder)}/", f"?{query}" if query else ""
    picture = f"{folder}preview/{name or HOME}.png{words}" if _served and has_picture(name or HOME) else ""
    return PageUrls(f"{folder}{quote(name)}{words}", picture)


def tags(summary: Summary, place: PageUrls) -> Markup:
    """What the head of a page tells those who show its link: of the Open Graph protocol, and of cards."""
    told = {
        "og:type": "website",
        "og:site_name": PRODUCT,
        "og:title": summary.title,
        "og:description": summary.says,
        "og:url": place.page,
        "og:image": place.picture,
    }
    card = {"description": summary.says, "twitter:card": "summary"}
    if place.picture:
        told |= {"og:image:width": WIDTH, "og:image:height": HEIGHT, "og:image:alt": summary.says}
        card |= {"twitter:card": "summary_large_image", "twitter:image": place.picture}
    kinds = [markup('<meta property="{}" content="{}">', name, str(word)) for name, word in told.items() if word]
    return joined([*kinds, *(markup('<meta name="{}" content="{}">', name, word) for name, word in card.items())])
