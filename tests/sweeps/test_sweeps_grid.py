"""The cells of a grid, their seeds, and invalid grids."""

import itertools
import tracemalloc

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, SKMSE, Gaussian, Linear
from explorer.sweeps import Grid


def test_every_combination_once():
    grid = Grid({"n": [1, 2, 3], "c": [0.1, 0.2]}, replicates=4)
    cells = [(cell["n"], cell["c"]) for cell, _ in map(grid.cell, range(grid.size))]
    assert grid.shape == (3, 2, 4)
    assert sorted(cells) == sorted([(n, c) for n in (1, 2, 3) for c in (0.1, 0.2)] * 4)
    assert len({seed for _, seed in map(grid.cell, range(grid.size))}) == grid.size


def seeds(*args, **kwargs):
    grid = Grid(*args, **kwargs)
    cells = map(grid.cell, range(grid.size))
    return {frozenset(cell.items()) | {i % grid.replicates}: seed for i, (cell, seed) in enumerate(cells)}


def test_a_seed_is_that_of_the_cell_wherever_it_stands():
    small = seeds({"n": [1, 2], "c": [0.1]}, replicates=2)
    large = seeds({"c": [0.3, 0.1], "n": [5.0, 2, 1.0]}, replicates=3)  # another order, other values, 1.0 instead of 1
    assert small.items() <= large.items()
    assert set(small.values()).isdisjoint(seeds({"n": [1, 2], "c": [0.1]}, replicates=2, seed=1).values())


def test_common_axes_share_the_seeds_of_replicates():
    grid = Grid({"n": [1, 2], "c": [0.1, 0.2, 0.3]}, replicates=5, common="c")
    by_cell = np.array([grid.cell(i)[1] for i in range(grid.size)]).reshape(grid.shape)
    assert (by_cell == by_cell[:, :1]).all()
    assert len(np.unique(by_cell)) == 2 * 5


def test_a_seed_fits_a_double():
    assert all(float(s) == s < 2**53 for s in seeds({"n": list(range(100))}).values())


def test_values_are_numbers_strings_and_models():
    models = {"estimator": [KME(), SKMSE(lam=0.1)], "kernel": [Gaussian(1.0), Linear()]}
    grid = Grid({**models, "name": ["a", "b"], "n": np.arange(1, 3)})
    cell, _ = grid.cell(grid.size - 1)
    assert cell == {"estimator": SKMSE(lam=0.1), "kernel": Linear(), "name": "b", "n": 2}
    assert type(cell["n"]) is int


def test_a_hundred_thousand_cells_are_planned_without_holding_them():
    """A cell stored as a dict of two numbers would take 300 bytes; the plan is only as large as its axes."""
    tracemalloc.start()
    grid = Grid({"n": list(range(1000)), "c": list(np.linspace(0, 1, 100))})
    last = grid.cell(grid.size - 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert grid.size == 100_000
    assert last[0] == {"n": 999, "c": 1.0}
    assert peak < 1e6


@pytest.mark.parametrize(
    ("axes", "more", "error", "parts"),
    [
        ({}, {}, TypeError, ("axes",)),
        ([1], {}, TypeError, ("axes",)),
        ({"n": 3}, {}, TypeError, ("'n'", "list")),
        ({"n": "abc"}, {}, TypeError, ("'n'", "list")),
        ({"n": KME()}, {}, TypeError, ("'n'", "list")),
        ({"n": []}, {}, ValueError, ("'n'",)),
        ({"n": [1, None]}, {}, TypeError, ("number", "string", "model")),
        ({"n": [1, float("nan")]}, {}, ValueError, ("nan",)),
        ({"n": [1, 2, 1.0]}, {}, ValueError, ("'n'", "1.0")),
        ({"n m": [1]}, {}, TypeError, ("argument",)),
        ({3: [1]}, {}, TypeError, ("argument",)),
        ({"seed": [1]}, {}, ValueError, ("'seed'",)),
        ({"replicate": [1]}, {}, ValueError, ("'replicate'",)),
        ({"n": [1]}, {"replicates": 0}, ValueError, ("replicates", "1")),
        ({"n": [1]}, {"replicates": 1.5}, TypeError, ("replicates",)),
        ({"n": [1]}, {"seed": -1}, ValueError, ("seed", "0")),
        ({"n": [1]}, {"seed": True}, TypeError, ("seed",)),
        ({"n": [1]}, {"common": "c"}, ValueError, ("'c'", "n")),
        ({"n": [1]}, {"common": 3}, ValueError, ("3", "n")),
        ({"n": [1]}, {"common": [["n"]]}, ValueError, ("['n']", "n")),
        ({"n": [10**400]}, {}, ValueError, ("float",)),
        ({"computed": [1]}, {}, ValueError, ("'computed'",)),
        ({"checksum": [1]}, {}, ValueError, ("'checksum'",)),
    ],
)
def test_bad_grids_are_refused(axes, more, error, parts):
    with pytest.raises(error, match=naming(*parts)):
        Grid(axes, **more)


def test_an_axis_that_is_a_parameter_has_its_limits():
    assert Grid({SKMSE.param.lam: [0.1, 1.0]}).axes == {"lam": [0.1, 1.0]}
    with pytest.raises(ValueError, match=naming("SKMSE.lam", "-1.0")):
        Grid({SKMSE.param.lam: [0.1, -1.0]})
    with pytest.raises(ValueError, match="name"):
        Grid({SKMSE.param.lam: [0.1], "lam": [1.0]})


@pytest.mark.parametrize(
    ("axes", "replicates", "parts"),
    [
        (
            {"n": [1]},
            999_999_999_999,
            ("1 x 999999999999 = 999999999999 cells", "10,000,000"),
        ),
        ({"n": [1, 2]}, 10**400, ("1330 bits", "10,000,000")),
        ({"n": range(10**4), "m": range(10**4)}, 1, ("10000 x 10000 x 1 = 100000000 cells", "10,000,000")),
        ({"n": itertools.count()}, 1, ("'n'", "1,000,000")),
    ],
)
def test_a_grid_that_is_too_large_is_refused_before_its_memory_is_taken(axes, replicates, parts):
    tracemalloc.start()
    with pytest.raises(ValueError, match=naming(*parts)):
        Grid(axes, replicates)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # a million whole numbers and their list take 40 MB


def test_a_value_that_is_there_twice_is_found_in_a_long_axis():
    """The time grows linearly with the axis's length; a quadratic algorithm would take hours."""
    with pytest.raises(ValueError, match=naming("'n'", "0.0")):
        Grid({"n": [*range(100_000), 0]})
