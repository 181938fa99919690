"""The Sweep page without a browser.

It runs, stops and goes on, gives its numbers away, and refuses what is no sweep.
"""

import asyncio
import io
import re
import time
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from bokeh.events import Tap
from bokeh.server.callbacks import NextTickCallback
from every_lab import SMALL_SWEEP as SMALL
from helpers.naming import names_all, naming
from helpers.page_helpers import error_at, notice, type_in, unfold

from explorer.labs import LabStudy
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.sweep import SweepLab
from explorer.labs.sweep.page import SweepPage
from explorer.labs.sweep.starting import START
from explorer.pages import runtime
from explorer.sweeps import InProcess
from explorer.workbench.content import content_of

PRESETS = content_of("sweep").presets

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


def opened(**fields):
    page = SweepPage(SweepLab(**{**SMALL, **fields}).flat())
    page.executor = InProcess()
    return page


@pytest.fixture
def page():
    return opened()


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    """Make a page show partial results of a sweep very often."""
    monkeypatch.setattr(runtime, "TICK", 0.01)


@pytest.fixture(autouse=True)
def processes_start_in_nine_seconds(monkeypatch):
    """No worker starts just to estimate the run time."""
    monkeypatch.setattr(START, "seconds", 9.0)
    monkeypatch.setattr("explorer.labs.sweep.starting.are_started", lambda: False)


def cells_of(page, name):
    """Return the number of the map's cells in the colour of a role; the colour bar is not counted."""
    return int((page.view.sources[f"map.tiles_{name}"].data["x"] < len(page.result.axes[0].values) - 0.5).sum())


def tap(page, x, y):
    """Send the message of a press on the map."""
    figure = page.view.figures["map"]
    figure._trigger_event(Tap(figure, x=x, y=y))


def boxes_of(page, which):
    """Return the row of number boxes of an axis."""
    box = page.controls[f"{which}_from"].box
    (row,) = [part for part, _ in page.arranged.conditions if box in part.select()]
    return row


def soon(doc):
    """Run the callbacks that a page scheduled for the document's next tick."""
    (callback,) = [c for c in doc.session_callbacks if isinstance(c, NextTickCallback)]
    doc.remove_next_tick_callback(callback)
    return callback.callback()


def test_it_opens_at_the_first_preset_and_a_theme_is_no_state():
    page = SweepPage({"theme": "dark"})
    assert page.lab == SweepLab(**PRESETS[0].fields)
    assert page.navigation.preset() is PRESETS[0]
    assert SweepPage({"lab": "dna"}).lab == SweepLab(lab="dna").settled()


@pytest.fixture
def broken(monkeypatch):
    """Make every fit fail."""

    def broken(self, **cell):
        raise ValueError("a study that cannot")

    monkeypatch.setattr(LabStudy, "__call__", broken)


def test_a_sweep_that_cannot_be_computed_is_said_and_run_is_there(broken, as_if_served):
    page = opened(replicates=4)
    page.run()
    asyncio.run(soon(as_if_served))
    assert "a study that cannot" in notice(page)
    assert (page.work, page.pressed["go"].disabled) == (None, False)


def test_the_cost_stands_before_the_boxes_that_set_it(page):
    parts = page.arranged.beside.select()
    assert page.status in parts
    assert page.pressed["go"] in parts


def test_it_says_what_it_costs_and_a_run_fills_map_line_words_and_tables(page):
    assert names_all(page.status.object, "18 fits", "9 s")
    assert (page.pressed["go"].disabled, page.pressed["halt"].disabled) == (False, True)
    page.run()
    assert (notice(page), page.result.whole) == ("", True)
    assert names_all(page.status.object, "18")
    assert (page.pressed["go"].disabled, page.pressed["halt"].disabled) == (True, True)
    assert cells_of(page, "skmse") + cells_of(page, "harm") == 6
    assert len(page.view.sources["line.line_skmse"].data["x"]) == 3
    assert page.chrome.headline.object == page.headline(page.result, 0)
    assert unfold(page).table.object.count("<a href=") == 6
    assert f"{page.result.quartiles[1][0, 0]:.2g}" in page.view.sources["map.words"].data["words"]
    page.choice["measure"].value = "best lambda, F-KMSE"  # another measure needs no new run
    assert page.result.whole
    assert len(page.view.sources["line.line_fkmse"].data["x"]) == 3
    assert len(page.view.sources["line.line_skmse"].data["x"]) == 0


def test_files_hold_every_fit(page):
    import pandas as pd
    import xarray as xr

    empty, page_files = dict((name, make) for _, name, make in page.files()), page.files
    assert len(empty["sweep-fits.csv"]().read().splitlines()) == 1
    page.run()
    files = {name: make for _, name, make in page_files()}
    table = pd.read_csv(files["sweep-fits.csv"](), comment="#", converters={page.lab.measure: float})
    assert len(table) == 18
    assert {"bandwidth", "n", "replicate", "seed", page.lab.measure} <= set(table.columns)
    assert np.array_equal(table[page.lab.measure], page.result.numbers.ravel())
    data = xr.open_dataset(io.BytesIO(files["sweep.nc"]().read()), engine="scipy")
    assert np.array_equal(data[page.lab.measure], page.result.numbers)
    assert data["bandwidth"].attrs["units"] == "× median θ"
    assert np.array_equal(data["seed"].values.ravel(), table["seed"])


def test_a_tap_picks_a_cell_whose_link_opens_the_lab_there(page):
    page.run()
    tap(page, 1.2, 0.9)
    assert page.result.picked == (1, 1)
    address = str(page.card.object).split("href='")[1].split("'")[0].replace("&amp;", "&")
    where, query = address.split("?")
    lab = ShrinkagePage(dict(parse_qsl(query))).lab
    assert (where, lab.bandwidth, lab.n) == ("shrinkage", 0.32, 10)
    path = lab.result().simple
    assert path.height[lab.result().row] == page.result.numbers[1, 1, 0]
    tap(page, 7.0, 0.9)
    assert page.result.picked == (1, 1)
    tap(page, 1.0, 1.0)
    assert page.result.picked is None


def test_keys_go_from_cell_to_cell(page):
    keys = {key: act for key, (_, act) in page.actions().items()}
    for key, picked in (("]", 1), ("]", 2), ("[", 1), ("[", 6), ("]", 1)):
        keys[key]()
        assert page.lab.picked == picked
    assert "bandwidth = 0.1, n = 5" in page.card.object


def test_titles_say_what_the_marks_are_and_a_pointer_is_told_of_its_cell(page):
    page.run()
    assert names_all(page.view.figures["map"].title.text, "S-KMSE", "relative loss", "plain average: 1")
    assert names_all(page.view.figures["line"].title.text, "S-KMSE", "relative loss", "n = 5")  # one scale for all rows
    cells = page.view.sources["map.cells"].data
    words = {axis: said.args["words"] for axis, said in page.view.pictures["map"].telling.said.items()}
    told = [(words["x"][int(x)], words["y"][int(y)]) for x, y in zip(cells["x"], cells["y"], strict=True)]
    assert told[-1] == ("bandwidth = 1", "n = 10")
    assert np.array_equal(cells["middle"], page.result.middle.ravel())
    page.choice["lab"].value = "twosample"
    page.choice["y"].value = "none"
    assert page.view.figures["line"].title.text == "p"


def test_one_axis_is_a_line_alone(page):
    page.choice["y"].value = "none"
    assert notice(page) == ""
    assert page.arranged.pictures["map"].visible is False
    assert page.columns.css_classes == ["single"]
    page.run()
    assert page.result.quartiles.shape == (3, 3)
    assert boxes_of(page, "y").visible is False
    page.choice["y"].value = "n"
    assert page.arranged.pictures["map"].visible


def test_what_is_no_sweep_is_refused_and_the_menu_goes_back(page):
    page.run()
    before, head = page.lab.values(), page.chrome.headline.object
    page.choice["y"].value = "bandwidth"
    assert re.search(naming("axes", "bandwidth"), notice(page))
    page.rest()
    assert page.choice["y"].value == "n"
    type_in(page, "y_to", "4")
    assert "downwards" in error_at(page, "y_to")
    assert (page.lab.values(), page.chrome.headline.object) == (before, head)


def test_another_lab_brings_its_own_menus(page):
    page.choice["lab"].value = "dna"
    assert page.choice["x"].value == page.lab.x == "contaminated"
    assert "decay" in page.choice["x"].options.values()
    assert "mean k across" in page.choice["measure"].options
    assert notice(page) == ""
    page.navigation.undo()
    assert page.choice["x"].value == "bandwidth"


def test_a_run_streams_is_cancelled_and_goes_on(as_if_served, monkeypatch):
    page = opened(replicates=12)
    seen, call, cancels = [], LabStudy.__call__, [page.cancel]

    def slow(self, **cell):
        time.sleep(0.002)
        return call(self, **cell)

    monkeypatch.setattr(LabStudy, "__call__", slow)
    show = page.display.show

    def watched(result, over=False):
        show(result, over)
        seen.append(result.done)
        if result.done > 20 and cancels:
            cancels.pop()()

    page.display.show = watched
    page.run()
    assert (page.pressed["go"].disabled, page.pressed["halt"].disabled) == (True, False)
    page.run()  # a second press does nothing
    asyncio.run(soon(as_if_served))
    assert 0 < page.result.done < 72
    assert len(set(seen)) > 2
    assert page.work is None
    assert page.pressed["go"].label == "Resume"
    assert "Resume" in page.status.object
    kept = page.result
    page.run()
    asyncio.run(soon(as_if_served))
    assert page.result.whole
    assert seen == sorted(seen)
    assert np.array_equal(page.result.numbers.ravel()[kept.cells.done], kept.numbers.ravel()[kept.cells.done])
    assert page.pressed["go"].label == "Run"


def test_another_sweep_stops_the_run_and_what_it_has_is_kept(as_if_served):
    page = opened(replicates=200)
    page.run()
    running = soon(as_if_served)
    work = page.work
    show = page.display.show

    def moving(result, over=False):
        show(result, over)
        if result.done and page.lab.seed == 1:
            page.move(None, seed=2)

    page.display.show = moving
    asyncio.run(running)
    assert page.work is None
    assert not work.run.done.all()
    assert page.result.done == 0
    page.display.show = show
    page.move(None, seed=1)
    assert page.result.done == work.run.done.sum() > 0


def test_leaving_stops_the_run_and_removes_the_folder(as_if_served):
    page = opened(replicates=400)
    page.run()
    folder, work = Path(page.folder), page.work
    show = page.display.show

    def leaving(result, over=False):
        show(result, over)
        if result.done:
            page.release()

    page.display.show = leaving
    assert list(folder.glob("*.nc"))
    asyncio.run(soon(as_if_served))
    page.pool.shutdown(wait=True)
    assert not work.run.done.all()
    assert not folder.exists()
