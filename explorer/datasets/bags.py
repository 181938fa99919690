"""Bags to learn from: toy bags of known distributions, and bags of rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.learning import bags_of
from explorer.printing import printed
from explorer.rng import stream
from explorer.types import File, Rng

from .dataset import DataSet
from .read_table import read_table

if TYPE_CHECKING:
    from .columns.table import Table

BAGS = ("spread", "ring", "turn", "entropy", "odd", "one")
ARCS = 8  # number of Gaussians that form a ring
JITTER, SHIFT = 0.1, 0.3  # standard deviations of a bag's log spread and of its location, unrelated to its class
EVERY, FAR, CLOSE = 8, 4.0, 0.2  # period of odd bags; mean and standard deviation of the distance of the one point
LEAST = 4  # smallest number of bags that a table has to yield


@printed
class Bags(NamedTuple):
    """Samples, with the target of each.

    Attributes
    ----------
    bags : tuple of ndarray of shape (n_i, d)
        The samples.
    targets : ndarray of shape (l,)
        Words or numbers to be learnt.
    laws : tuple of GaussianMixture or ndarray of shape (N, d)
        The distribution of each bag. For a table these are the rows that the bag was taken from.
    names : tuple of str
        The name of each bag.

    Examples
    --------
    >>> from explorer.datasets import Bags, toy_bags
    >>> bags: Bags = toy_bags("spread", 4, 10, rng=0)
    >>> bags.targets.tolist(), [bag.shape for bag in bags.bags]
    (['narrow', 'wide', 'narrow', 'wide'], [(10, 2), (10, 2), (10, 2), (10, 2)])
    """

    bags: tuple[np.ndarray, ...]
    targets: np.ndarray
    laws: tuple[GaussianMixture | np.ndarray, ...]
    names: tuple[str, ...]


def toy_bags(kind: str, count: int, n: int, difference: float = 0.5, rng: int | None = None) -> Bags:
    """Draw bags of points in the plane.

    Bags also differ by a tenth in spread and by 0.3 in location, which is unrelated to their class. Classes alternate.
    With an int seed, larger numbers only append bags and points.

    Parameters
    ----------
    kind : {"spread", "ring", "turn", "entropy", "odd", "one"}
        What distinguishes the classes, or the target:

        - "spread": "narrow" Gaussians of standard deviation 1 and "wide" ones of 1 + `difference`
        - "ring": a "blob", N(0, I), and a "ring" of the same mean and covariance, the clearer the larger `difference`
        - "turn": "falling" and "rising", correlations -r and r, r = `difference` / (1 + `difference`)
        - "entropy": the entropy in nats of a Gaussian whose standard deviation lies between 1 / (1 + `difference`)² and
          (1 + `difference`)²
        - "odd": "usual" Gaussians of standard deviation 1, and every eighth an "unusual" one of 1 + 2 `difference`
        - "one": Gaussians, "positive" if one point lies about 4 + `difference` standard deviations to the right of the
          others. A bag is positive if any of its points is, and its law is that of all points except this one.
    count : int
        The number of bags.
    n : int
        The number of points of each bag.
    difference : float, default 0.5
        The difference between the classes, above 0.
    rng : int or None, default None
        The seed.

    Returns
    -------
    Bags
        The bags with their classes and distributions.

    Raises
    ------
    Refusal
        If there is no such kind, or if `difference` is not above 0.

    Examples
    --------
    >>> from explorer.datasets import toy_bags
    >>> toy_bags("spread", 4, 10, rng=0).targets
    array(['narrow', 'wide', 'narrow', 'wide'], dtype='<U6')
    """
    if kind not in BAGS:
        raise Refusal(f"There are no bags {checks.echo(kind)}; there are {', '.join(BAGS)}.")
    count, n = checks.whole(count, "count", 1), checks.whole(n, "n", 1)
    if not difference > 0:
        raise Refusal(f"difference must be above 0, not {checks.echo(difference)}.")
    which = np.arange(count) % EVERY == EVERY - 1 if kind == "odd" else np.arange(count) % 2
    seeds = stream(rng, "bags").integers(2**32, size=count)
    spreads = np.exp(JITTER * stream(rng, "spreads").normal(size=count))
    places = SHIFT * stream(rng, "places").normal(size=(count, 2))
    if kind == "entropy":
        spreads = (1 + difference) ** stream(rng, "entropies").uniform(-2, 2, count)
        laws = [_gaussian(m, s**2 * np.eye(2)) for m, s in zip(places, spreads, strict=True)]
        targets = 2 * np.log(spreads) + np.log(2 * np.pi * np.e)
    else:
        make, words = {
            "spread": (_spread, ("narrow", "wide")),
            "ring": (_ring, ("blob", "ring")),
            "turn": (_turn, ("falling", "rising")),
            "odd": (_odd, ("usual", "unusual")),
            "one": (_one, ("negative", "positive")),
        }[kind]
        laws = [make(k, s, m, difference) for k, s, m in zip(which, spreads, places, strict=True)]
        targets = np.array(words)[which.astype(int)]
    bags = [law.sample(n, int(seed)) for law, seed in zip(laws, seeds, strict=True)]
    if kind == "one":
        away = np.array([FAR + difference, 0.0]) + CLOSE * stream(rng, "instances").normal(size=(count, 2))
        for i in np.flatnonzero(which):
            bags[i] = np.vstack([places[i] + spreads[i] * away[i], bags[i][1:]])
    return Bags(tuple(bags), targets, tuple(laws), tuple(f"bag {i + 1}" for i in range(count)))


def cut_bags(data: DataSet, count: int, n: int, rng: int | None = None) -> Bags:
    """Cut the rows of each class of a table into bags.

    The rows are shuffled by the seed. Classes alternate, and no row is in two bags.

    Parameters
    ----------
    data : DataSet
        A table with a target.
    count : int
        The largest number of bags.
    n : int
        The number of rows of each bag.
    rng : int or None, default None
        The seed.

    Returns
    -------
    Bags
        At most `count` bags.

    Raises
    ------
    Refusal
        If the table has no target, or yields fewer than 4 bags.

    Examples
    --------
    >>> from explorer.datasets import DataSet, cut_bags
    >>> data = DataSet("rows", [[float(row)] for row in range(12)], ("x",), target=["low"] * 6 + ["high"] * 6)
    >>> bags = cut_bags(data, count=4, n=3, rng=0)
    >>> [(str(label), bag[:, 0].tolist()) for label, bag in zip(bags.targets, bags.bags)]
    [('high', [10.0, 8.0, 11.0]), ('low', [4.0, 2.0, 5.0]), ('high', [9.0, 6.0, 7.0]), ('low', [3.0, 0.0, 1.0])]
    """
    if data.target is None:
        raise Refusal(f"{data.name} has no classes; name the column that has them.")
    parts = []
    for label in np.unique(data.target).tolist():
        rows = data.where(label)
        shuffled = rows.sample(rows.n, rng)
        parts.append([(shuffled[i : i + n], label, rows.X) for i in range(0, rows.n - n + 1, n)])
    longest = max(map(len, parts))
    cut = [part[i] for i in range(longest) for part in parts if i < len(part)][:count]
    _refuse_few(len(cut), data.name, f"bags of {n} rows", "take fewer rows a bag")
    bags, targets, laws = zip(*cut, strict=True)
    return Bags(bags, np.array(targets), laws, tuple(f"bag {i + 1}" for i in range(len(cut))))


@printed
class BagTable(NamedTuple):
    r"""Table whose rows are the points of bags.

    Attributes
    ----------
    points : DataSet
        The points. Its target names the bag of each row.
    labels : ndarray of shape (rows,)
        Words or numbers to be learnt of each row's bag.

    Examples
    --------
    >>> from explorer.datasets import BagTable, read_bags
    >>> table: BagTable = read_bags(b"bag,label,x\na,old,1\na,old,2\nb,new,5\n", bag="bag", label="label")
    >>> table.points.X.tolist(), table.points.target.tolist(), table.labels.tolist()
    ([[1.0], [2.0], [5.0]], ['a', 'a', 'b'], ['old', 'old', 'new'])
    """

    points: DataSet
    labels: np.ndarray

    @property
    def hash(self) -> str:
        """The SHA-256 of the file's bytes."""
        return self.points.hash

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.points.n

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return self.points.d

    @property
    def name(self) -> str:
        """The table's name in messages."""
        return self.points.name


def read_bags(path: File, bag: str, label: str, columns: Sequence[str | int] | None = None, **options: Any) -> BagTable:
    r"""Read a file whose rows are the points of bags.

    Parameters
    ----------
    path : str, Path, bytes or binary file
        The file.
    bag : str
        The column that names the bag of each row.
    label : str
        The column with the target of each row's bag.
    columns : sequence of str or int, or None, default None
        The columns of the points. None takes every column of numbers except these two.
    **options : object
        Further arguments of `read_table`.

    Returns
    -------
    BagTable
        The points and their labels.

    Raises
    ------
    Refusal
        If one column is both, or if rows with a missing cell in one of the two were left out.

    Examples
    --------
    >>> from explorer.datasets import read_bags
    >>> table = read_bags(b"patient,dose,x,y\np1,low,1,0\np1,low,2,1\np2,high,5,3\n", bag="patient", label="dose")
    >>> table.n, table.d, table.labels.tolist()
    (3, 2, ['low', 'low', 'high'])
    """
    if bag == label:
        raise Refusal(f"column {checks.echo(bag)} cannot name the bags and say what is learnt of them; choose another.")
    if columns is None:
        names = read_table(path, None, target=bag, **options).names
        columns = [name for name in names if name != label]
    points = read_table(path, columns, target=bag, **options)
    labels = read_table(path, columns, target=label, **options).target
    if labels is None or len(labels) != points.n:
        raise Refusal(f"{points.name} misses cells of {bag} and of {label} in different rows; fill them first.")
    return BagTable(points, labels)


def guess_roles(table: Table, bags: Sequence[str], labels: Sequence[str]) -> tuple[str, str] | None:
    """Return the first (bag, label) of a table's columns for which all rows of a bag have one label.

    Parameters
    ----------
    table : Table
        The table.
    bags : sequence of str
        The columns that may name bags.
    labels : sequence of str
        The columns that may hold labels.

    Returns
    -------
    tuple of str or None
        The names of the two columns, or None if there is no such pair.
    """
    columns = table.by_name
    pairs = ((bag, label) for bag in bags for label in labels if bag != label)
    return next((pair for pair in pairs if _is_nested(*(columns[name] for name in pair))), None)


def _is_nested(bag, label):
    """Return whether all rows of each bag have one label, and there are at least two labels.

    Rows with a missing cell do not count.
    """
    values = (column.cells if column.numbers is None else column.numbers.tolist() for column in (bag, label))
    gaps = bag.gaps | label.gaps
    complete = ((a, b) for a, b in zip(*values, strict=True) if a == a and b == b and not {a, b} & gaps)
    label_of = {}
    return all(label_of.setdefault(a, b) == b for a, b in complete) and len(set(label_of.values())) > 1


def table_bags(table: BagTable, count: int, n: int, rng: Rng = None) -> Bags:
    r"""Take bags from a table that `read_bags` has read, in the seed's order.

    Parameters
    ----------
    table : BagTable
        The table. All rows of a bag need the same word as label; if labels are numbers, a bag has their mean.
    count : int
        The largest number of bags.
    n : int
        The largest number of rows of each bag.
    rng : int, Generator or None, default None
        The seed.

    Returns
    -------
    Bags
        At most `count` bags.

    Raises
    ------
    Refusal
        If a bag has two words, or if there are fewer than 4 bags.

    Examples
    --------
    >>> from explorer.datasets import read_bags, table_bags
    >>> rows = "\n".join(f"bag {row % 4},{'AB'[row % 2]},{row}" for row in range(12))
    >>> table = read_bags(f"bag,label,x\n{rows}\n".encode(), bag="bag", label="label")
    >>> bags = table_bags(table, count=4, n=2, rng=0)
    >>> [(name, str(label), bag.shape) for name, label, bag in zip(bags.names, bags.targets, bags.bags)]
    [('bag 1', 'B', (2, 1)), ('bag 3', 'B', (2, 1)), ('bag 0', 'A', (2, 1)), ('bag 2', 'A', (2, 1))]
    """
    data, labels = table
    bags = data.X if data.target is None else data.target
    names, whole, known = np.unique(bags), bags_of(data.X, bags), bags_of(labels, bags)
    _refuse_few(len(names), data.name, "bags", "choose another column for them")
    order = stream(rng, "order").permutation(len(names))[:count]
    bags, targets = [], []
    for i in order:
        rows = np.sort(stream(rng, f"rows {names[i]}").permutation(len(whole[i]))[:n])
        bags.append(whole[i][rows])
        targets.append(_one_target(known[i], names[i], data.name))
    return Bags(
        tuple(bags), np.array(targets), tuple(whole[i] for i in order), tuple(_bag_name(names[i]) for i in order)
    )


def _bag_name(bag):
    """Return a bag's name: the word of the table, or a number in full if it is whole, otherwise with four digits."""
    if isinstance(bag, str):
        return str(bag)
    return f"{bag:.0f}" if float(bag).is_integer() else f"{bag:.4g}"


def _one_target(values, bag, name):
    """Return the word that all rows of a bag have, or the mean of their numbers."""
    if values.dtype.kind not in "USO":
        return values.astype(float).mean()
    other = sorted(set(values) - {values[0]})
    if other:
        bag, one, two = (checks.truncate(str(each)) for each in (bag, values[0], other[0]))
        raise Refusal(f"the bag {bag} of {name} has rows of {one} and of {two}; each bag needs one label.")
    return values[0]


def _refuse_few(count, name, what, way):
    if count < LEAST:
        raise Refusal(f"{name} gives {count} {what}, and at least {LEAST} are needed; {way}.")


def _gaussian(mean, covariance):
    return GaussianMixture([1.0], mean[None], covariance[None])


def _spread(which, spread, mean, difference):
    return _gaussian(mean, (spread * (1 + difference * which)) ** 2 * np.eye(2))


def _odd(which, spread, mean, difference):
    return _spread(which, spread, mean, 2 * difference)


def _one(which, spread, mean, difference):
    return _gaussian(mean, spread**2 * np.eye(2))


def _ring(which, spread, mean, difference):
    if which == 0:
        return _gaussian(mean, spread**2 * np.eye(2))
    share = difference / (0.25 + difference)  # share of the variance between the Gaussians on the ring
    angles = 2 * np.pi * np.arange(ARCS) / ARCS
    places = np.sqrt(2 * share) * np.column_stack([np.cos(angles), np.sin(angles)])
    return GaussianMixture(np.full(ARCS, 1 / ARCS), mean + spread * places, spread**2 * (1 - share) * np.eye(2))


def _turn(which, spread, mean, difference):
    r = (2 * which - 1) * difference / (1 + difference)
    return _gaussian(mean, spread**2 * np.array([[1.0, r], [r, 1.0]]))
