"""What a browser fetches for a page that it has not seen before: at most 400 kB, or a lab's script and data."""

from __future__ import annotations

import re

import html_references
import pytest

pytestmark = pytest.mark.thorough  # the site takes a minute to build
MOST = 400_000  # bytes of a page with all that it loads
MOST_OF_LAB = 1_600_000  # bytes of a lab's file that moves: with Bokeh's script, packed, and the rows of its slider
LIVING = re.compile(r"living-\w+\.js")


def weight(path):
    """Return the bytes of a page and of the files that the browser loads with it."""
    loaded, page = {path}, html_references.page(path)
    for address, by_itself in page.named:
        target = html_references.target(path, address) if by_itself and address not in page.later else None
        if target is not None:
            loaded.add(target[0])
    return sum(each.stat().st_size for each in loaded)


def test_every_page_is_light(site):
    pages = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    moving = {name for name, path in pages.items() if LIVING.search(path.read_text(encoding="utf-8"))}
    assert all(name.startswith("labs/") for name in moving)
    heavy = {name: size for name, path in pages.items() if (size := weight(path)) > (MOST, MOST_OF_LAB)[name in moving]}
    assert heavy == {}


def test_there_are_no_fonts_and_no_source_maps(site):
    files = [path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]
    assert [name for name in files if name.endswith((".map", ".woff", ".woff2", ".ttf", ".eot"))] == []
    scripts = [path for path in site.rglob("*.js") if path.name not in ("kernel-mean-widget.js", "searchindex.js")]
    assert {path.name for path in scripts if not LIVING.fullmatch(path.name)} == {"bar.js", "search.js"}


def test_what_is_loaded_is_used(site):
    """Every style sheet of the site belongs to some page."""
    named = {
        target[0]
        for path in site.rglob("*.html")
        for address, by_itself in html_references.page(path).named
        if by_itself and (target := html_references.target(path, address))
    }
    assert {path for path in site.rglob("*.css") if path.resolve() not in {each.resolve() for each in named}} == set()
