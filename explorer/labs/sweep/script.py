"""Copied Python of the Sweep lab, the cells as a table, and every fit as a file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks.mark import Numbers
from explorer.printing import cells
from explorer.recipe import Script, recipe
from explorer.sweeps import sweep

if TYPE_CHECKING:
    from xarray import Dataset

    from .result import SweepResult


def python(result: SweepResult) -> Script:
    """Return a script that leaves in `data` all numbers of the sweep, and in `shown` those of the page.

    They are equal to the last bit.
    """
    call, chosen = result.lab.call, result.study
    values = {name: list(each) for name, each in call["axes"].items()}
    how: Any = {"replicates": call["replicates"], "seed": call["seed"]}
    how |= {"common": call["common"]} if call["common"] else {}

    @recipe
    def steps():
        study = chosen
        axes = {
            **values,
        }
        data = sweep(study, axes, **how)
        shown = data[result.measure_name].median("replicate")
        print(shown.to_pandas())

    return steps.script()


def numbers(result: SweepResult) -> Numbers:
    """Return the table of cells: quartiles over the replicates, and the number of replicates that have a value.

    The form is table -> column -> values, shape (cells,).
    """
    places = np.indices(result.counts.shape).reshape(len(result.axes), -1)
    columns = {each.name: np.array(_plain(each.values))[place] for each, place in zip(result.axes, places, strict=True)}
    low, middle, high = (part.ravel() for part in result.quartiles)
    counts = result.counts.ravel()
    return {"cells": {**columns, "lower quartile": low, "median": middle, "upper quartile": high, "numbers": counts}}


def _plain(values):
    """Return numbers unchanged, and other values as text."""
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        return values
    return [str(v) for v in values]


def dataset(result: SweepResult) -> Dataset:
    """Return all numbers so far as an xarray.Dataset, in the form that `sweep` returns."""
    from explorer.sweeps.study import dataset as labelled

    values = {} if result.cells is None else result.cells.values
    return labelled(result.grid, {"study": repr(result.study), "seed": result.grid.seed}, values)


def tidy(result: SweepResult, remark: str) -> io.StringIO:
    """Return CSV with one row for each finished fit, after the remark."""
    text, data = io.StringIO(), dataset(result)
    text.write(f"# {remark}\n")
    if result.cells is not None and result.done:
        table = data.to_dataframe().reset_index()
        cells(table.loc[result.cells.done.ravel(), :]).to_csv(text, index=False)
    text.seek(0)
    return text


def netcdf(result: SweepResult) -> io.BytesIO:
    """Return the data set as a netCDF file.

    This file format has no 53-bit integers, so seeds are stored as doubles, which represent them exactly.
    """
    data = dataset(result)
    data = data.assign_coords(seed=data["seed"].astype(float))
    return io.BytesIO(bytes(data.to_netcdf(engine="scipy", format="NETCDF3_64BIT")))
