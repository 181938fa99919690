"""The Sweep lab in use, by real input.

A map that fills, a cell that opens its lab, a run that is cancelled, and a telephone.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from browsing import DESK, PHONE, Place, Room
from every_lab import SMALL_SWEEP as SMALL
from server_process import until

from explorer.labs.sweep import SweepLab
from explorer.labs.sweep.stories import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG = {**SMALL, "replicates": 3000}


class SweepRoom(Room):
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
    """Make rooms, as `new_room` does."""
    rooms = []

    def make(fields, **options):
        context = chromium.new_context(**{"viewport": DESK, **options})
        place = Place("sweep", "", 2, PRESETS[0].name)
        rooms.append(SweepRoom(context, server.url, place, **SweepLab(**fields).settled().flat()))
        return rooms[-1].open()

    yield make
    complaints = [complaint for room in rooms for complaint in room.complaints]
    for room in rooms:
        room.page.context.close()
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
    room = new_sweep(SMALL)
    until(lambda: re.match("18 fits, .*(on|to compute)", room.status), "the cost")
    before = room.pictures()
    room.run()
    until(lambda: room.pictures() != before, "cells in the map")
    assert "ranges from" in room.headline
    room.page.mouse.click(*room.spot("S-KMSE's relative loss (", 1, 1))
    link = room.page.get_by_role("link", name="Open it in Shrinkage")
    link.wait_for()
    room.follows(picked="4")
    with room.page.context.expect_page() as opened:
        link.click()
    lab = opened.value
    until(lambda: "n=10" in lab.url and "seed=" in lab.url, "the lab in that state")  # 0.32 is its own bandwidth
    lab.locator(".says").wait_for()
    lab.close()
    room.unfold("All downloads")
    for label, name in (
        ("map PNG", "sweep-map.png"),
        ("line SVG", "sweep-line.svg"),
        ("fits CSV", "sweep-fits.csv"),
        ("netCDF", "sweep.nc"),
    ):
        with room.page.expect_download() as download:
            room.page.locator("a, button").filter(has_text=label).first.click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500


def fits_done(room):
    """Return the number that the status begins with."""
    return int(re.match("[0-9,]+", room.status)[0].replace(",", ""))


def test_a_long_run_is_cancelled_and_goes_on(new_sweep):
    room = new_sweep(LONG)
    room.button("^Run$").click()
    until(lambda: "to go" in room.status, "a rate", 60)
    room.page.locator(".gauge").wait_for()
    room.button("^Cancel$").click()
    until(lambda: "Press Resume" in room.status, "the end of the run", 60)
    kept = fits_done(room)
    assert 0 < kept < 18_000
    room.pick("number shown", "S-KMSE's best λ")  # what is there is there for every measure
    until(lambda: "best λ" in room.headline, "another measure")
    room.button("^Resume$").click()
    until(lambda: "to go" in room.status and fits_done(room) > kept, "more fits", 60)
    room.button("^Cancel$").click()
    until(lambda: "Press Resume" in room.status, "the end of the run", 60)


def test_a_phone_shows_all_of_it_and_everything_has_a_name(new_sweep):
    room = new_sweep(SMALL, **PHONE)
    room.run()
    room.turn(expanded=True)
    assert room.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert room.too_wide() == []
    assert room.nameless() == []
