"""The report of a comparison in Chromium: without a network, accessible, on paper, and safe against hostile names."""

from __future__ import annotations

import re

import numpy as np
import pandas
import pytest
from helpers.browsing import PHONE
from helpers.offline_pages import block_network

from explorer import compare

from .test_browser_accessibility import barriers_of

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "'\"><script>window.ran=1;alert(2)</script>",
    "</style><svg onload=alert(3)>",
    "{{7*7}} ${7*7} &lt;",
    "שלום עולם",
    "long " * 100,
)
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"color_scheme": "light", **PHONE},
}


def table(seed, names, n=80, shift=0.0):
    """Return a table of `columns` columns, every third one of levels; the first column differs by a shift."""
    rng = np.random.default_rng(seed)
    columns = {
        name: rng.choice([*HOSTILE[:3], "plain"], n) if j % 3 == 2 else rng.normal(shift * (j == 0), 1, n)
        for j, name in enumerate(names)
    }
    return pandas.DataFrame(columns)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return {name: address of a page}, of plain names and of hostile ones, of two samples and of several."""
    folder, written = tmp_path_factory.mktemp("report"), {}
    for kind, names in (("plain", [f"column {j}" for j in range(8)]), ("hostile", HOSTILE)):
        a, b, c = table(0, names), table(1, names, shift=3.0), table(2, names)
        for count, other in (("two", b), ("many", [b, c])):
            path = folder / f"{kind} {count}.html"
            compare(a, other, n_resamples=199, rng=0).to_html(path)
            written[f"{kind} {count}"] = path.as_uri()
    return written


@pytest.fixture(params=["plain two", "hostile two", "hostile many"])
def address(request, pages):
    return pages[request.param]


@pytest.mark.parametrize("look", LOOKS)
def test_it_has_no_barrier_and_fits(chromium, axe, address, look):
    context = chromium.new_context(bypass_csp=True, **LOOKS[look])  # axe is a script, which the page itself forbids
    page = context.new_page()
    page.goto(address)
    assert barriers_of(page, axe) == []
    wide, lab_page = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    context.close()
    assert wide <= lab_page


def test_nothing_of_hostile_names_runs(chromium, pages):
    for name in ("hostile two", "hostile many"):
        context = chromium.new_context(bypass_csp=True)
        page = context.new_page()
        asked, errors = block_network(page)
        dialogs = []
        page.on("dialog", lambda dialog, to=dialogs: (to.append(dialog.message), dialog.dismiss()))
        page.goto(pages[name])
        text = page.inner_text("body")
        assert all(each.strip()[:50] in text for each in HOSTILE)
        assert page.evaluate("document.querySelectorAll('script, img, iframe, link, object').length") == 0
        assert page.evaluate("window.ran") is None
        assert (asked, errors, dialogs) == ([], [], [])
        context.close()


@pytest.mark.parametrize("name", ["plain two", "plain many", "hostile two"])
def test_on_paper_it_takes_three_pages_at_most(chromium, pages, name):
    page = chromium.new_page(color_scheme="dark")
    page.goto(pages[name])
    for paper in ("A4", "Letter"):
        count = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
        assert 1 <= count <= 3
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 29, 31)"  # ink on paper, of a dark screen
    page.close()


def test_a_phone_tells_the_cells_of_a_column_by_their_names(chromium, pages):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(pages["plain two"])
    cell = page.locator("table.columns tbody tr").first.locator("td").first
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"a"'
    page.locator("details:has(table.columns) summary").first.click()
    tables = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="Adjusted p")).all()
    assert [table.get_by_role("row").count() for table in tables] == [1 + 1, 1 + 7]  # still tables for who listens
    assert page.get_by_role("columnheader").count() >= 6
    context.close()
