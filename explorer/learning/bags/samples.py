"""Bags: samples, each from its own distribution, or the distributions themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, WrongType
from explorer.embeddings import Embedding
from explorer.embeddings.law import Law
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Vector, VectorLike

Bag: TypeAlias = PointsLike | Law | Embedding  # a sample (n_i, d), a distribution, or an embedding of one
BagsLike: TypeAlias = Sequence[Bag] | np.ndarray  # l of them; an array (l, n, d) if all samples have n points


@explain_wrong_calls
@aligned("X labels")
def bags_of(X: PointsLike, labels: VectorLike) -> list[Any]:
    """Return the rows of a table as bags, a sample for each label of a column.

    Use it before `SupportMeasureMachine`, `OneClassSMM` and `DistributionRegression`, which take bags. For a file use
    `datasets.read_bags`.

    The bags come in the order of np.unique(labels), their rows in the table's.

    Parameters
    ----------
    X : array_like of shape (n, d) or (n,)
        The table.
    labels : array_like of shape (n,)
        The label of each row, numbers or text.

    Returns
    -------
    list of array_like of shape (n_i, d)
        The bags, (n_i,) for points (n,). Bags of a DataFrame are DataFrames, so that their columns are matched with
        others by name.

    Raises
    ------
    Refusal
        If labels are missing, or their number is not that of the rows.

    Examples
    --------
    >>> from explorer import bags_of
    >>> bags_of([[1.0], [2.0], [3.0]], ["b", "a", "b"])
    [array([[2.]]), array([[1.],
           [3.]])]
    """
    table = checks.as_array(X, "X")
    if table.ndim not in (1, 2):
        raise Refusal(
            f"X has {plural(table.ndim, 'dimension')}; give the points of all bags as rows of an (n, d) array."
        )
    checks.rows(table, "X", 1)
    names = checks.labels(labels, "labels")
    if names.shape[1] != 1:
        raise Refusal(f"labels has {plural(names.shape[1], 'column')}; give one label for each row of X.")
    if len(names) != len(table):
        raise Refusal(
            f"labels has {plural(len(names), 'entry', 'entries')} and X has {plural(len(table), 'row')}; give one"
            " label for each row."
        )
    _, codes, counts = np.unique(names[:, 0], return_inverse=True, return_counts=True)
    rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(counts)[:-1])
    frame = frames.frame_of(X)
    return [table[some] for some in rows] if frame is None else [frame[some].to_native() for some in rows]


def bags_by_name(bags: Any, other: Any = None) -> tuple[Any, Any]:
    """Return bags, and others if given, each DataFrame with its columns in the order of the first one's.

    The rows of a DataFrame that groupby has grouped are a list of their groups, in its order.
    """
    bags, other = _groups(bags), _groups(other)
    given = [(each, name) for each, name in ((bags, "bags"), (other, "other")) if isinstance(each, (list, tuple))]
    called = [f"{name}[{i}]" for each, name in given for i in range(len(each))]
    ordered = iter(frames.together([bag for each, _ in given for bag in each], called))
    found = (list(islice(ordered, len(each))) if isinstance(each, (list, tuple)) else each for each in (bags, other))
    return next(found), next(found)


def _groups(bags):
    """Return the groups of a pandas groupby as a list; other bags unchanged."""
    if type(bags).__name__ not in ("DataFrameGroupBy", "SeriesGroupBy"):
        return bags
    return [group for _, group in bags]


def count_of(bags: Any, name: str = "bags") -> int:
    """Return the number of bags, before they are checked.

    Raises
    ------
    Refusal
        If there are none.
    """
    bags = _groups(bags)
    checks.refuse_other_things(bags, name)
    count = len(bags) if hasattr(bags, "__len__") else 0
    if not count:
        checked_bags(bags, Gaussian(), name)  # raises with the reason
    return count


def checked_bags(bags: Any, kernel: Kernel, name: str = "bags") -> list[Any]:
    """Return bags as a list of points (n_i, d), distributions and embeddings of one dimension.

    Raises
    ------
    TypeError
        If `bags` or a bag is of another type.
    Refusal
        If a bag is invalid, or their dimensions differ.
    """
    bags = _groups(bags)
    if isinstance(bags, (Law, Embedding)):
        raise WrongType(f"{name} is one {type(bags).__name__}; give a list of bags, even one bag as a list of one.")
    checks.refuse_other_things(bags, name)
    if hasattr(bags, "columns"):
        raise WrongType(
            f"{name} is one table; give bags_of(table, labels) with the column that names the bag of a row."
        )
    if isinstance(bags, np.ndarray) and bags.ndim < 3 and bags.dtype.kind != "O":
        one_each = f"{name}[:, None{', None' if bags.ndim == 1 else ''}]"
        raise Refusal(
            f"{name} is one array of shape {bags.shape}, and a bag is a sample: give a list of samples (n_i, d),"
            f" {one_each} for one point a bag, or bags_of({name}, labels)."
        )
    if not hasattr(bags, "__len__") or not hasattr(bags, "__iter__"):
        raise WrongType(f"{name} is of type {type(bags).__name__}; give a list of samples (n_i, d).")
    found = [_checked(bag, kernel, f"{name}[{i}]") for i, bag in enumerate(bags)]
    if not found:
        raise Refusal(f"{name} is empty; give at least one bag.")
    for i, bag in enumerate(found):
        if _width(bag) != _width(found[0]):
            raise Refusal(
                f"{name}[0] has {plural(_width(found[0]), 'column')} and {name}[{i}] has {_width(bag)}; all bags need"
                " the same"
                " coordinates."
            )
    texts = {bag.dtype.kind in "US" for bag in found if isinstance(bag, np.ndarray)}
    if len(texts) > 1:
        raise WrongType(f"{name} holds text in some bags and numbers in others; give all as one kind.")
    return found


def _checked(bag, kernel, name):
    """Return one checked bag."""
    if isinstance(bag, (Law, Embedding)):
        return bag
    return kernel.points(bag, name)


def _width(bag):
    """Return the number of coordinates of the bag's points."""
    if isinstance(bag, Law):
        return bag.d
    return (bag.blocks[0].points if isinstance(bag, Embedding) else bag).shape[1]


def chosen_kernel(kernel: Kernel, bags: list[Any], counts: Vector | None = None) -> Kernel:
    """Return the kernel with its automatic bandwidth chosen on the points of all samples among the bags.

    Each bag, and so each of its points, counts as often as `counts` (l,) states; None is once.

    Raises
    ------
    Refusal
        If a bandwidth has to be chosen and all bags are distributions, which have no points.
    """
    samples = [bag for bag in bags if isinstance(bag, np.ndarray)]
    if samples:
        pooled = np.concatenate(samples)
        checks.warn_of_lost_digits(pooled, "bags")
        if counts is not None:
            sizes = [len(bag) if isinstance(bag, np.ndarray) else 0 for bag in bags]
            counts = np.repeat(counts, sizes)
        return select(kernel, pooled, "points of all bags", counts) if len(pooled) > 1 else kernel.select(pooled)
    try:
        return kernel.chosen()
    except Refusal:
        raise Refusal(
            f"{checks.echo(kernel)} has a bandwidth to choose, and bags that are distributions have no points to"
            " choose it on; give it a number, such as Gaussian(1.0)."
        ) from None
