"""Where a page and the picture of its state are, as whoever sends for them has to write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from explorer.workbench import registry

from .summary import OTHERS

HOST = re.compile(r"[\w.-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?", re.ASCII)
HOME = "home"
PROTOCOLS = ("http", "https")
_served: list[bool] = []  # not empty where this process answers with pictures


class Place(NamedTuple):
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


def place_of(protocol: str, host: str, path: str, query: str) -> Place:
    """The Place of the page at a path of a host; `query` is of words of ours alone."""
    if protocol not in PROTOCOLS or not HOST.fullmatch(host):
        return Place()
    folder, _, name = path.rpartition("/")
    folder, words = f"{protocol}://{host}{quote(folder)}/", f"?{query}" if query else ""
    picture = f"{folder}preview/{name or HOME}.png{words}" if _served and has_picture(name or HOME) else ""
    return Place(f"{folder}{quote(name)}{words}", picture)
