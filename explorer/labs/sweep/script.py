"""The Sweep lab's pictures once more, as tables, as sentences and as files."""

from __future__ import annotations

import io

import numpy as np

from explorer.workbench.numbers import number

from .sweep_words import at, listed


def numbers(result):
    """Table -> column -> (cells,): quartiles over the replicates, and how many numbers they are of."""
    places = np.indices(result.counts.shape).reshape(len(result.axes), -1)
    columns = {each.name: np.array(_plain(each.values))[place] for each, place in zip(result.axes, places, strict=True)}
    low, middle, high = (part.ravel() for part in result.quartiles)
    found = {"lower quartile": low, "median": middle, "upper quartile": high, "numbers": result.counts.ravel()}
    return {"cells": {**columns, **found}}


def _plain(values):
    """Numbers as they are, anything else in words."""
    return (
        values
        if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
        else [str(v) for v in values]
    )


def measures(result):
    """What two sweeps are compared by."""
    middle = result.quartiles[1]
    if not result.counts.any():
        return {"fits": result.done}
    return {
        "fits": result.done,
        "the lowest median": float(np.nanmin(middle)),
        "the highest median": float(np.nanmax(middle)),
    }


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    if not result.counts.any():
        return [f"No fit of {result.grid.size} is done yet."]
    low, middle, high = result.quartiles
    said = [
        f"The median of '{result.measure}' over {listed([each.called for each in result.axes])}, from "
        f"{number(float(np.nanmin(middle)))} {at(result, np.nanargmin(middle))} to {number(float(np.nanmax(middle)))} "
        f"{at(result, np.nanargmax(middle))}."
    ]
    wide = high - low
    if np.isfinite(wide).any():
        said.append(
            f"The middle half of a cell's replicates is at most {number(float(np.nanmax(wide)))} wide, "
            f"{at(result, np.nanargmax(wide))}."
        )
    return said


def dataset(result):
    """All numbers that there are as an xarray.Dataset: as `sweep` returns it."""
    from explorer.sweeps.study import dataset as labelled

    values = {} if result.cells is None else result.cells.values
    return labelled(result.grid, {"study": repr(result.study), "seed": result.grid.seed}, values)


def tidy(result, remark):
    """One row for each fit that is done, as CSV; the remark comes first."""
    text, data = io.StringIO(), dataset(result)
    text.write(f"# {remark}\n")
    if result.done:
        table = data.to_dataframe().reset_index()
        table[result.cells.done.ravel()].to_csv(text, index=False)
    text.seek(0)
    return text


def netcdf(result):
    """The data set as a netCDF file.

    This kind of file has no whole numbers of 53 bits, and a double holds each seed.
    """
    data = dataset(result)
    data = data.assign_coords(seed=data["seed"].astype(float))
    return io.BytesIO(bytes(data.to_netcdf(engine="scipy", format="NETCDF3_64BIT")))
