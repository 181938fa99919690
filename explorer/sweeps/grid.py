"""Cells of a sweep: every combination of its axes' values, made one at a time, each with its own seed."""

from __future__ import annotations

import json
import math
import numbers
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.model import Model, code

from .checksums import CHECKSUM, DONE
from .labels import label_of

if TYPE_CHECKING:
    from explorer.parameters import LogNumber
    from explorer.sweeps.labels import Label


RESERVED = ("replicate", "seed", DONE, CHECKSUM)
MOST_VALUES = 1_000_000  # most values of an axis: a store's header has each as text, and a rerun reads all of them
MOST_CELLS = 10_000_000  # most cells: their numbers, flags and seeds take about 1 GB of memory


class Grid:
    """Axes by name, `replicates` of every combination, and the seed of each cell.

    Parameters
    ----------
    axes : dict
        {name or model parameter: values}; a value is a number, a string or a model.
    replicates : int, default 1
        How often each combination is studied, at least 1.
    seed : int, default 0
        A whole number of at least 0.
    common : str or sequence of str, default ()
        Axes along which replicates keep their seed, so that all values share one sample: differences between the values
        are then differences within pairs.
    model : type or None, default None
        Class of models whose parameters the axes are.

    Raises
    ------
    TypeError
        If the axes or a value have the wrong type.
    ValueError
        If a value is not allowed, or the grid is too large.

    Notes
    -----
    A cell's seed is a hash of `seed`, of its replicate and of its own values: neither the order of the cells nor the
    other values of the sweep change it.

    Examples
    --------
    >>> from explorer.sweeps import Grid
    >>> grid = Grid({"n": [10, 20], "noise": [0.1, 0.3]}, replicates=2, seed=0)
    >>> grid.size, grid.cell(0)[0], grid.cell(grid.size - 1)[0]
    (8, {'n': 10, 'noise': 0.1}, {'n': 20, 'noise': 0.3})
    """

    replicates: int
    seed: int
    size: int

    def __init__(
        self,
        axes: Mapping[str | LogNumber, Any],
        replicates: int = 1,
        seed: int = 0,
        common: int | Sequence[str] = (),
        model: type[Any] | None = None,
    ) -> None:
        if not isinstance(axes, Mapping) or not axes:
            raise WrongType("axes must map at least one name to its values, as in {'n': [10, 100]}.")
        self.replicates = checks.whole(replicates, "replicates", 1)
        self.seed = checks.whole(seed, "seed", 0)
        self.parameters: dict[str, Label | None] = {name_of(key): label_of(key, model) for key in axes}
        self.axes: dict[str, list[Any]] = {
            name_of(key): values_of(name_of(key), values) for key, values in axes.items()
        }
        if len(self.axes) < len(axes):
            raise Refusal("two axes have one name.")
        self.dims: tuple[str, ...] = (*self.axes, "replicate")
        self.shape: tuple[int, ...] = (*map(len, self.axes.values()), self.replicates)
        self.size = math.prod(self.shape)
        if self.size > MOST_CELLS:
            raise Refusal(
                f"{' x '.join(map(checks.echo, self.shape))} = {checks.echo(self.size)} cells are more than the"
                f" {MOST_CELLS:,} of one sweep, which are all held in memory; take fewer values or replicates, or make"
                " several sweeps."
            )
        for name, field in self.parameters.items():
            if field is not None and field.sure:
                field.check(self.axes[name])
        together = (common,) if isinstance(common, str) or not isinstance(common, Iterable) else tuple(common)
        self.common: tuple[Any, ...] = together
        if strange := [name for name in self.common if not isinstance(name, str) or name not in self.axes]:
            raise Refusal(f"common names axes, and {checks.echo(strange[0])} is none of {checks.join_list(self.axes)}.")
        self.words: dict[str, list[str]] = {
            name: [word_of(value) for value in values] for name, values in self.axes.items()
        }
        for name, words in self.words.items():
            if len(set(words)) < len(words):
                twice = Counter(words).most_common(1)[0][0]
                raise Refusal(f"the axis {checks.echo(name)} has {checks.truncate(twice)} twice.")

    def cell(self, index: int) -> tuple[dict[str, float | str], int]:
        """Return the values and the seed of a cell, by its index, counted with the last axis running fastest.

        Parameters
        ----------
        index : int
            Index of the cell.

        Returns
        -------
        values : dict
            {axis: value}.
        seed : int
            The seed.
        """
        *places, replicate = (int(i) for i in np.unravel_index(index, self.shape))
        cell = {name: values[i] for (name, values), i in zip(self.axes.items(), places, strict=True)}
        words = {name: words[i] for (name, words), i in zip(self.words.items(), places, strict=True)}
        own = sorted([name, word] for name, word in words.items() if name not in self.common)
        return cell, seed_of([self.seed, replicate, own])

    def describe(self, index: int) -> str:
        """Describe a cell by its values and its seed.

        Parameters
        ----------
        index : int
            Index of the cell.

        Returns
        -------
        str
            Text such as "n=3, seed=17".
        """
        cell, seed = self.cell(index)
        return f"{checks.join_list(f'{name}={checks.echo(value)}' for name, value in cell.items())}, seed={seed}"

    def key(self) -> str:
        """Return a text that determines the cells and their seeds.

        Returns
        -------
        str
            JSON of the axes, replicates, seed and common axes.
        """
        drawn = {"replicates": self.replicates, "seed": self.seed, "common": sorted(self.common)}
        return json.dumps({"axes": list(self.words.items()), **drawn}, ensure_ascii=False)


def seed_of(parts: Sequence[int | Sequence[Sequence[str]]]) -> int:
    """Return a whole number below 2^53, which a double and a link represent exactly."""
    return int.from_bytes(blake2b(json.dumps(parts, ensure_ascii=False).encode(), digest_size=8).digest(), "big") >> 11


def name_of(key: str | LogNumber) -> str:
    """Return an axis's name: the key itself, or the key's name if it is a parameter of a model."""
    name = key.name if isinstance(key, param.Parameter) else key
    if not isinstance(name, str) or not name.isidentifier():
        raise WrongType(f"an axis is the name of an argument of the study, not {checks.echo(name)}.")
    if name in RESERVED:
        raise Refusal(f"no axis can be called {checks.echo(name)}: it is what a sweep gives each cell.")
    return name


def values_of(name: str, values: Iterable[Any]) -> list[Any]:
    """Return an axis's values as plain Python: numbers, strings or models."""
    if isinstance(values, (str, Model)) or not isinstance(values, Iterable):
        raise WrongType(f"the axis {checks.echo(name)} must be a list of values, not {checks.echo(values)}.")
    plain = [value.item() if isinstance(value, np.generic) else value for value in islice(values, MOST_VALUES + 1)]
    if len(plain) > MOST_VALUES:
        raise too_many(name)
    if not plain:
        raise Refusal(f"the axis {checks.echo(name)} has no value.")
    for value in plain:
        if not isinstance(value, (numbers.Real, str, Model)):
            raise WrongType(
                f"a value of the axis {checks.echo(name)} must be a number, a string or a model, not"
                f" {checks.echo(value)}."
            )
        if isinstance(value, int) and abs(int(value)) > sys.float_info.max:
            raise Refusal(f"the axis {checks.echo(name)} has a number that is too large for a float.")
        if isinstance(value, numbers.Real) and math.isnan(value):
            raise Refusal(f"the axis {checks.echo(name)} has nan among its values.")
    return plain


def too_many(name: str) -> Refusal:
    """Return the Refusal of an axis that is too long.

    Parameters
    ----------
    name : str
        Name of the axis.

    Returns
    -------
    Refusal
        The exception, to be raised.
    """
    return Refusal(
        f"the axis {checks.echo(name)} has more than {MOST_VALUES:,} values, and a store's header has each in words;"
        " take fewer, or make several sweeps."
    )


def word_of(value: Any) -> str:
    """Return a value's text in a seed and in a store; 1 and 1.0 are one value."""
    if isinstance(value, (bool, str)):
        return repr(value)
    return repr(float(value)) if isinstance(value, numbers.Real) else code(value)
