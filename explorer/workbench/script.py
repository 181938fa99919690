"""Steps of copied Python that labs share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.datasets import load, read_table
from explorer.embeddings import GaussianMixture, StudentT
from explorer.kernels import Polynomial
from explorer.printing import join_list, short_name
from explorer.recipe import Recipe, recipe

from .fields import BUNDLED
from .user_points import moved_points

if TYPE_CHECKING:
    from .fields import UserTable
    from .pairs import RolesOfTable


def read_options(lab: Any) -> dict[str, Any]:
    """Return the arguments with which the user's table is read, in addition to its file.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    dict of str to object
        The arguments.
    """
    time = getattr(lab, "time", "")  # the column of dates in a lab of series; in other labs a number, or missing
    given = {
        lab.taken_as: json.loads(lab.columns) if lab.columns else None,
        "missing": None if lab.missing == "refuse" else lab.missing,
        "standardise": lab.standardise,
        "lenient": lab.lenient,
        "gram": lab.gram,
        "time": time if isinstance(time, str) else "",
    }
    return {name: value for name, value in given.items() if value}


def opening(lab: UserTable) -> Recipe[[], Any]:
    """Return the steps that load the table of a `UserTable` lab and refuse another file than the one on the page.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    Recipe
        The steps, which return the table.
    """
    options = read_options(lab)

    @recipe
    def steps():
        if lab.source in BUNDLED:
            return load(lab.source).standardised() if lab.standardise else load(lab.source)
        data = read_table(lab.file, **options)
        if data.hash != lab.hash:
            raise ValueError(f"this is another {lab.file} than the one on the page")
        return data

    return steps


class Columns(NamedTuple):
    """Columns of a table.

    Attributes
    ----------
    places : list of int
        Their positions.
    names : str
        Their names, as a list for a comment.
    """

    places: list[int]
    names: str


def roles(lab: RolesOfTable, taken: Recipe[[Any], Any]) -> Recipe[[Any], Any]:
    """Return the steps that create X and Y from a `RolesOfTable` lab's table, given the table.

    Parameters
    ----------
    lab : RolesOfTable
        The lab.
    taken : Recipe
        The steps that take rows of a table.

    Returns
    -------
    Recipe
        The steps, which return X and Y.
    """
    x, y = map(list, lab.roles(lab.the_table()))
    lenient: Any = {"lenient": True} if lab.lenient else {}

    @recipe
    def steps(data):
        if lab.by_gram[1]:
            other = read_table(lab.file2, **lenient, gram=True)
            if other.hash != lab.hash2:
                raise ValueError(f"this is another {lab.file2} than the one on the page")
            X, Y = taken(data), taken(other)  # coordinates: their inner products are the files'
            return X, Y
        rows = taken(data)
        if lab.by_gram[0]:
            X = rows[:, : data.axes]  # coordinates: their inner products are the Gram matrix
        else:
            X = rows[:, [data.names.index(name) for name in x]]
        Y = rows[:, [data.names.index(name) for name in y]]
        return X, Y

    return steps


def distribution(law: GaussianMixture | StudentT) -> Recipe[[], Any]:
    """Return the steps that create a distribution from its parameters.

    Parameters
    ----------
    law : GaussianMixture or StudentT
        The distribution.

    Returns
    -------
    Recipe
        The steps, which return the distribution.
    """

    @recipe
    def steps():
        if isinstance(law, StudentT):
            return StudentT(law.df, law.mean.tolist(), law.covariance.tolist())
        return GaussianMixture(law.weights.tolist(), law.means.tolist(), law.covariances.tolist())

    return steps


class Noted(NamedTuple):
    """Value with the comment that it gets.

    Attributes
    ----------
    value : object
        The value.
    note : str
        The comment.
    """

    value: Any
    note: str


def columns_of(names: Sequence[str], chosen: Sequence[str]) -> Columns:
    """Return the positions of chosen columns among a table's names.

    Parameters
    ----------
    names : sequence of str
        Names of the table's columns.
    chosen : sequence of str
        Names of the chosen ones.

    Returns
    -------
    Columns
        The columns.
    """
    return Columns([list(names).index(name) for name in chosen], join_list(map(short_name, chosen)))


def kernel_steps(lab: Any, chosen: Any, wide: bool, note: str = "") -> Recipe[[], Any]:
    """Return the steps that create a lab's kernel; if it has a bandwidth, a comment relates it to the data's scale.

    Parameters
    ----------
    lab : Lab
        The lab.
    chosen : Kernel
        The kernel.
    wide : bool
        Whether it has a bandwidth.
    note : str, default ""
        End of the comment.

    Returns
    -------
    Recipe
        The steps, which return the kernel.
    """

    @recipe
    def steps():
        if chosen == Polynomial(2):
            kernel = Polynomial(2)
        elif wide:
            kernel = chosen  # {lab.bandwidth:g} x the median heuristic{note}
        else:
            kernel = chosen
        return kernel

    return steps


def by_hand(moved: str, rows: Mapping[int, int], d: int) -> Recipe[[Any], Any]:
    """Return the steps that put points where the user moved them, given the points.

    Parameters
    ----------
    moved : str
        The moved points, as the text of a link.
    rows : mapping of int to int
        Rows of the link -> rows of the points.
    d : int
        Number of coordinates.

    Returns
    -------
    Recipe
        The steps, which return the points.
    """
    places = {rows[row]: list(place[:d]) for row, place in moved_points(moved).items() if row in rows}

    @recipe
    def steps(points):
        if moved:
            points = points.copy()
        for row, place in places.items():
            points[row, :2] = place  # moved by hand
        return points

    return steps


@recipe
def relative_losses(law: Any, kernel: Any, X: Any, estimators: Any) -> Any:
    """Compute the loss of each estimator relative to KME's."""
    truth = law.embed(kernel)
    losses = {name: e.embed(X).distance(truth) ** 2 for name, e in estimators.items()}
    losses: Any = {name: loss / losses["KME"] for name, loss in losses.items()}
    return losses


@recipe
def estimated_losses(scores: Any, X: Any) -> Any:
    """Estimate these losses from leave-one-out scores."""
    # leave-one-out estimates of loss / loss of KME: KME's score is n times its estimated loss
    losses = {name: 1 + len(X) * (s / scores["KME"] - 1) if scores["KME"] else 1.0 for name, s in scores.items()}
    return losses
