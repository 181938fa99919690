"""No page of the site has a broken link, and none loads anything from elsewhere."""

from __future__ import annotations

from collections import Counter
from functools import cache

import html_references
import pytest

pytestmark = pytest.mark.thorough  # the site takes a minute to build


@cache
def page_of(path):
    return html_references.page(path)


@pytest.fixture(scope="session")
def pages(site):
    """Return the site's pages."""
    return sorted(site.rglob("*.html"))


def test_every_link_leads_somewhere(pages, site):
    broken = []
    for path in pages:
        for address, _ in page_of(path).named:
            found = html_references.target(path, address)
            if found is None:
                continue
            file, place = found
            if not file.is_file() or not file.is_relative_to(site.resolve()):
                broken.append(f"{path.relative_to(site)}: {address}")
            elif place and file.suffix == ".html" and place not in page_of(file).places:
                broken.append(f"{path.relative_to(site)}: {address} has no such place")
    assert broken == []


def test_no_page_loads_anything_from_elsewhere(pages, site):
    loaded = [
        f"{path.relative_to(site)}: {address}"
        for path in pages
        for address, by_itself in page_of(path).named
        if by_itself and html_references.is_elsewhere(address)
    ]
    loaded += [
        f"{path.relative_to(site)}: {address}"
        for path in site.rglob("*.css")
        for address in html_references.sheet(path)
        if html_references.is_elsewhere(address)
    ]
    assert loaded == []


def test_no_place_is_there_twice(pages, site):
    twice = [
        (str(path.relative_to(site)), name)
        for path in pages
        for name, count in Counter(page_of(path).places).items()
        if count > 1
    ]
    assert twice == []


def test_every_page_is_reached_from_the_first(pages, site):
    first = site.resolve() / "index.html"
    seen, ahead = {first}, [first]
    while ahead:
        path = ahead.pop()
        for address, _ in page_of(path).named:
            found = html_references.target(path, address)
            if found and found[0].suffix == ".html" and found[0].is_file() and found[0] not in seen:
                seen.add(found[0])
                ahead.append(found[0])
    # parts that a fast build leaves out exist as link targets, but are not listed
    listed = {path.resolve() for path in pages if "A quick build of the site leaves" not in path.read_text("utf-8")}
    assert listed - seen - {site.resolve() / "search.html"} == set()


def test_the_sections_are_there(site):
    for name in ("essays", "widgets", "gallery", "reference", "lessons", "labs", "guide"):
        assert (site / name / "index.html").is_file()


def test_nothing_of_the_machine_is_in_it(pages, site):
    """The site names no folder of the machine that built it."""
    from explorer.site.build import __file__ as ours

    root = str(ours).split("explorer/site")[0]
    held = [path for path in pages if root in path.read_text(encoding="utf-8")]
    assert held == []
