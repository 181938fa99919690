"""Addresses of a page and of the picture of its state, and the meta tags that announce them to other sites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from explorer.exports.card import HEIGHT, WIDTH
from explorer.markup import joined, markup
from explorer.pages.page_title import OTHERS, PRODUCT
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.page_title import Summary

HOST = re.compile(r"[\w.-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?", re.ASCII)
HOME = "home"
PROTOCOLS = ("http", "https")
_served: list[bool] = []  # not empty if this process serves pictures


class PageUrls(NamedTuple):
    """Addresses of a page and of the picture of its state; empty if there are none."""

    page: str = ""
    picture: str = ""


def serve_pictures() -> None:
    """Enable the addresses of pictures in this process: call it if its server has the route `/preview`."""
    _served[:] = [True]


def has_picture(name: str) -> bool:
    """Return whether a page of this name exists, and thus a picture of it."""
    return name in (HOME, *OTHERS, *registry.names())


def protocol_of(headers: Mapping[str, Any], own: str) -> str:
    """Return the protocol by which the browser reaches this server, also through a proxy that reports it.

    Parameters
    ----------
    headers : mapping of str to str
        The request's headers.
    own : str
        The protocol of the server itself.

    Returns
    -------
    str
        The proxy's `X-Forwarded-Proto` if it is "http" or "https", otherwise `own`.
    """
    told = headers.get("X-Forwarded-Proto") or headers.get("x-forwarded-proto")
    return told if told in PROTOCOLS else own


def urls_of(protocol: str, host: str, path: str, query: str) -> PageUrls:
    """Return the addresses of a page and of its picture.

    Parameters
    ----------
    protocol, host, path : str
        Where the page was requested.
    query : str
        The query string, normalised: it holds only parameters that the page knows.

    Returns
    -------
    PageUrls
        Both addresses; empty if the protocol or the host is not valid.
    """
    if protocol not in PROTOCOLS or not HOST.fullmatch(host):
        return PageUrls()
    folder, _, name = path.rpartition("/")
    folder, words = f"{protocol}://{host}{quote(folder)}/", f"?{query}" if query else ""
    picture = f"{folder}preview/{name or HOME}.png{words}" if _served and has_picture(name or HOME) else ""
    return PageUrls(f"{folder}{quote(name)}{words}", picture)


def tags(summary: Summary, place: PageUrls) -> Markup:
    """Return the meta tags of a page for sites that show its link: Open Graph, and Twitter cards.

    Parameters
    ----------
    summary : Summary
        The page's title and description.
    place : PageUrls
        The addresses of the page and its picture.

    Returns
    -------
    Markup
        The tags, for the head of the page.
    """
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
