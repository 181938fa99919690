"""The Sweep lab in use, by real input.

A map that fills, a cell that opens its lab, a run that is cancelled, and a telephone.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from every_lab import SMALL_SWEEP as SMALL
from helpers.browsing import DESK, PHONE, BrowserPage, LabEntry
from helpers.server_process import until

from explorer.labs.sweep import SweepLab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG = {**SMALL, "replicates": 3000}


class SweepPage(BrowserPage):
    """The Sweep page: it has no slider, and opens with pictures that are still empty."""

    def go(self, address=None, **fields):
        self.page.goto(address or f"{self.url}?{urlencode({**self.home, **fields})}")
        self.button("^Run$").wait_for()
        until(lambda: len(self.colours()) == 2, "two pictures")
        until(lambda: "fits" in self.status, "the cost")
        return self

    @property
    def status(self):
        """Return the text over the bar."""
        return self.page.locator(".run").inner_text()

    def run(self):
        """Run the sweep to its end."""
        self.button("^(Run|Resume)$").click()
        until(lambda: self.status.startswith("All"), "the last fit", 60)


@pytest.fixture
def new_sweep(chromium, server):
    """Make pages, as `new_page` does."""
    lab_pages = []

    def make(fields, **options):
        context = chromium.new_context(**{"viewport": DESK, **options})
        place = LabEntry("sweep")
        lab_pages.append(SweepPage(context, server.url, place, **SweepLab(**fields).settled().flat()))
        return lab_pages[-1].open()

    yield make
    complaints = [complaint for lab_page in lab_pages for complaint in lab_page.complaints]
    for lab_page in lab_pages:
        lab_page.page.context.close()
    assert complaints == []


def test_it_opens_with_a_map_that_can_be_read_at_once(chromium, server):
    for options in ({"viewport": {"width": 1300, "height": 800}}, PHONE):
        context = chromium.new_context(**options)
        page = context.new_page()
        page.goto(f"{server.url}/sweep")
        page.locator(".run").wait_for()
        until(lambda page=page: page.locator(".run").inner_text().startswith("All 420 fits"), "the first map", 60)
        tall, wide = page.viewport_size["height"], page.viewport_size["width"]
        boxes = [figure.bounding_box() for figure in page.locator(".bk-Figure:visible").all()]
        assert boxes[0]["y"] + boxes[0]["height"] < tall
        assert page.evaluate("document.documentElement.scrollWidth") == wide
        if options is not PHONE:
            assert all(box["y"] + box["height"] < tall for box in boxes)
            for name in ("lab", "from", "in each cell"):  # the controls
                box = page.get_by_label(name, exact=True).first.bounding_box()
                assert box["y"] + box["height"] < tall
        context.close()


def test_a_small_sweep_fills_the_map_a_cell_opens_its_lab_and_all_of_it_are_files(new_sweep, tmp_path):
    lab_page = new_sweep(SMALL)
    until(lambda: re.match("18 fits, .*(on|to compute)", lab_page.status), "the cost")
    before = lab_page.pictures()
    lab_page.run()
    until(lambda: lab_page.pictures() != before, "cells in the map")
    assert "is lowest" in lab_page.headline
    lab_page.page.mouse.click(*lab_page.at("S-KMSE's relative loss (", 1, 1))
    link = lab_page.page.get_by_role("link", name="Open it in Shrinkage")
    link.wait_for()
    lab_page.follows(picked="4")
    with lab_page.page.context.expect_page() as opened:
        link.click()
    lab = opened.value
    until(lambda: "n=10" in lab.url and "seed=" in lab.url, "the lab in that state")  # 0.32 is its own bandwidth
    lab.locator(".says").wait_for()
    lab.close()
    lab_page.unfold("All downloads")
    for label, name in (
        ("map PNG", "sweep-map.png"),
        ("line SVG", "sweep-line.svg"),
        ("fits CSV", "sweep-fits.csv"),
        ("netCDF", "sweep.nc"),
    ):
        with lab_page.page.expect_download() as download:
            lab_page.page.locator("a, button").filter(has_text=label).first.click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500


def fits_done(lab_page):
    """Return the number that the status begins with."""
    return int(re.match("[0-9,]+", lab_page.status)[0].replace(",", ""))


def test_a_long_run_is_cancelled_and_goes_on(new_sweep):
    lab_page = new_sweep(LONG)
    lab_page.button("^Run$").click()
    until(lambda: "to go" in lab_page.status, "a rate", 60)
    lab_page.page.locator(".gauge").wait_for()
    lab_page.button("^Cancel$").click()
    until(lambda: "Press Resume" in lab_page.status, "the end of the run", 60)
    kept = fits_done(lab_page)
    assert 0 < kept < 18_000
    lab_page.pick("number shown", "S-KMSE's best λ")  # what is there is there for every measure
    until(lambda: "best λ" in lab_page.headline, "another measure")
    lab_page.button("^Resume$").click()
    until(lambda: "to go" in lab_page.status and fits_done(lab_page) > kept, "more fits", 60)
    lab_page.button("^Cancel$").click()
    until(lambda: "Press Resume" in lab_page.status, "the end of the run", 60)


def test_a_phone_shows_all_of_it_and_everything_has_a_name(new_sweep):
    lab_page = new_sweep(SMALL, **PHONE)
    lab_page.run()
    lab_page.turn(expanded=True)
    assert lab_page.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert lab_page.too_wide() == []
    assert lab_page.nameless() == []
