"""The map that comes with the package is what a sweep of the first preset computes, and the page opens with it.

Where the lab that it sweeps gives other numbers, this stores the map anew:
`PYTHONPATH=.:tests python tests/labs/test_labs_sweep_shipped.py`.
"""

import numpy as np
import pytest
from helpers.naming import names_all

from explorer.labs.sweep import SweepLab
from explorer.labs.sweep.page import SweepPage
from explorer.labs.sweep.running import SweepRun
from explorer.labs.sweep.shipped import FILE, shipped
from explorer.labs.sweep.words import budget, headline
from explorer.sweeps import InProcess
from explorer.workbench.content import content_of

PRESETS = content_of("sweep").presets

FIRST = SweepLab(**PRESETS[0].fields)


def computed():
    """Return the Cells of the first preset, computed here."""
    return SweepRun(FIRST, executor=InProcess())()


def assert_same(values, cells, fits):
    assert values.keys() == cells.values.keys(), "another set of numbers; store the map anew"
    for name, numbers in values.items():
        # another machine adds in another order; near its minimum a loss is flat, so λ has fewer digits than the loss
        rtol = 1e-4 if "lambda" in name else 1e-6
        np.testing.assert_allclose(cells.values[name][fits], numbers, rtol=rtol, atol=1e-9, err_msg=name)


def test_the_first_preset_is_whole_at_once():
    result = FIRST.result()
    assert result.whole
    assert result.pending() == ()
    assert "is lowest" in headline(result, 0)
    assert PRESETS[0].at_least <= result.effects[PRESETS[0].effect]


def test_the_page_opens_with_the_map_and_has_nothing_to_run():
    page = SweepPage()
    assert page.result.whole
    assert names_all(page.status.object, "All 420 fits", "done")
    assert page.pressed["go"].disabled


def test_another_sweep_takes_none_of_it():
    (key,) = shipped()
    assert key == FIRST.sweep_key
    other = FIRST.replace(seed=2).result()
    assert other.done == 0
    assert budget(other).startswith("420 fits")


def test_some_of_its_fits_are_computed_anew():
    cells, grid = shipped()[FIRST.sweep_key], FIRST.grid
    fits = np.arange(0, grid.size, 61)
    rows = [FIRST.study(seed=seed, **cell) for cell, seed in map(grid.cell, fits.tolist())]
    assert_same({name: np.array([row[name] for row in rows]) for name in rows[0]}, cells, fits)


@pytest.mark.slow
def test_all_of_its_fits_are_computed_anew():
    assert_same(computed().values, shipped()[FIRST.sweep_key], slice(None))


if __name__ == "__main__":
    cells = computed()
    np.savez_compressed(
        FILE,
        key=np.array(FIRST.sweep_key),
        names=np.array(list(cells.values)),
        values=np.array([*cells.values.values()]),
    )
