"""Bags to learn from: toy ones of distributions that are known, and those of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture
from explorer.learning import bags_of
from explorer.printing import printed
from explorer.rng import stream
from explorer.types import File, Rng

from .dataset import DataSet
from .read_table import parse, read_table

BAGS = ("spread", "ring", "turn", "entropy", "odd", "one")
ARCS = 8  # Gaussians that a ring is made of
JITTER, SHIFT = 0.1, 0.3  # of a bag's spread, on a log scale, and of its place: what tells no class
EVERY, FAR, CLOSE = 8, 4.0, 0.2  # one bag in so many is odd; where the one point of a bag lies, and how narrowly
LEAST = 4  # bags that a table has to give


@printed
class Bags(NamedTuple):
    """Samples with what is to be learnt of each.

    bags     (n_i, d) each
    targets  (l,) words or numbers
    laws     the distribution of each; of a table the rows that the bag was taken from, (N, d)
    names    what each is called

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
    """`count` bags of n points in the plane as `Bags`; with an int seed larger ones only append bags, and points.

    "spread"   "narrow" Gaussians of standard deviation 1 and "wide" ones of 1 + difference
    "ring"     a "blob", N(0, I), and a "ring" of the same mean and covariance, the clearer the larger the difference
    "turn"     "falling" and "rising": correlations -r and r, r = difference / (1 + difference)
    "entropy"  the entropy in nats of a Gaussian whose spread lies between 1 / (1 + difference)² and (1 + difference)²

    "odd"      "usual" Gaussians of standard deviation 1, and every eighth an "unusual" one of 1 + 2 difference
    "one"      Gaussians, "positive" where one point lies about 4 + difference deviations to the right of the others:
               a bag is positive if any of its points is, and its law is that of all points but this one

    Bags differ besides, by a tenth in spread and by 0.3 in place, which says nothing of their class. Classes take
    turns. ValueError for another kind.

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
    """The rows of each class of a table, in the seed's order, cut into bags of n rows, as `Bags`: `count` at most.

    Classes take turns, and no row is in two bags. ValueError where that makes fewer than 4 bags.

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
    found = [part[i] for i in range(longest) for part in parts if i < len(part)][:count]
    _refuse_few(len(found), data.name, f"bags of {n} rows", "take fewer rows a bag")
    bags, targets, laws = zip(*found, strict=True)
    return Bags(bags, np.array(targets), laws, tuple(f"bag {i + 1}" for i in range(len(found))))


@printed
class BagTable(NamedTuple):
    """A table whose rows are points of bags.

    points  its target names the bag of each row; labels (rows,) what is to be learnt of a row's bag, words or numbers

    >>> from explorer.datasets import BagTable, read_bags
    >>> table: BagTable = read_bags(b"bag,label,x\\na,old,1\\na,old,2\\nb,new,5\\n", bag="bag", label="label")
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
        """What sentences call it."""
        return self.points.name


def read_bags(path: File, bag: str, label: str, columns: Sequence[str | int] | None = None, **options: Any) -> BagTable:
    """A file as a `BagTable`: `bag` and `label` name the columns of each row's bag and of what is to be learnt of it.

    columns  of the points; None takes every column of numbers but these two. `options` are those of `read_table`.
    ValueError where one column is both, and where rows that miss one of the two were left out.

    >>> from explorer.datasets import read_bags
    >>> table = read_bags(b"patient,dose,x,y\\np1,low,1,0\\np1,low,2,1\\np2,high,5,3\\n", bag="patient", label="dose")
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


def guess_roles(path: File, bags: Sequence[str], labels: Sequence[str], **options: Any) -> tuple[str, str] | None:
    """The first (bag, label) of a file's columns of these names for which all rows of a bag have one label, or None.

    `options` are those of `tables.parse`.
    """
    columns = parse(path, **options).by_name
    pairs = ((bag, label) for bag in bags for label in labels if bag != label)
    return next((pair for pair in pairs if _is_nested(*(columns[name] for name in pair))), None)


def _is_nested(bag, label):
    """Whether all rows of each bag have one label, where neither cell is missing; two labels at least."""
    values = (column.cells if column.numbers is None else column.numbers.tolist() for column in (bag, label))
    there = ((a, b) for a, b in zip(*values, strict=True) if a == a and b == b and not {a, b} & (bag.gaps | label.gaps))
    found = {}
    return all(found.setdefault(a, b) == b for a, b in there) and len(set(found.values())) > 1


def table_bags(table: BagTable, count: int, n: int, rng: Rng = None) -> Bags:
    """`count` bags of a table, n rows of each at most, as `Bags`, in the seed's order.

    All rows of a bag need one word; of numbers a bag has the mean. ValueError where a bag has two words, and where
    there are fewer than 4 bags.

    >>> from explorer.datasets import read_bags, table_bags
    >>> rows = "\\n".join(f"bag {row % 4},{'AB'[row % 2]},{row}" for row in range(12))
    >>> table = read_bags(f"bag,label,x\\n{rows}\\n".encode(), bag="bag", label="label")
    >>> bags = table_bags(table, count=4, n=2, rng=0)
    >>> [(name, str(label), bag.shape) for name, label, bag in zip(bags.names, bags.targets, bags.bags)]
    [('bag 1', 'B', (2, 1)), ('bag 3', 'B', (2, 1)), ('bag 0', 'A', (2, 1)), ('bag 2', 'A', (2, 1))]
    """
    data, labels = table
    bags = data.X if data.target is None else data.target
    names, whole, told = np.unique(bags), bags_of(data.X, bags), bags_of(labels, bags)
    _refuse_few(len(names), data.name, "bags", "choose another column for them")
    order = stream(rng, "order").permutation(len(names))[:count]
    bags, targets = [], []
    for i in order:
        rows = np.sort(stream(rng, f"rows {names[i]}").permutation(len(whole[i]))[:n])
        bags.append(whole[i][rows])
        targets.append(_one_target(told[i], names[i], data.name))
    return Bags(
        tuple(bags), np.array(targets), tuple(whole[i] for i in order), tuple(_bag_name(names[i]) for i in order)
    )


def _bag_name(bag):
    """A bag's name: the word of the table or, of numbers, four digits, or all where it is whole."""
    if isinstance(bag, str):
        return str(bag)
    return f"{bag:.0f}" if float(bag).is_integer() else f"{bag:.4g}"


def _one_target(values, bag, name):
    """The word that all rows of a bag have, or the mean of their numbers."""
    if values.dtype.kind not in "USO":
        return values.astype(float).mean()
    other = sorted(set(values) - {values[0]})
    if other:
        bag, one, two = (checks.truncate(str(each)) for each in (bag, values[0], other[0]))
        raise Refusal(f"the bag {bag} of {name} has rows of {one} and of {two}; each bag needs one label.")
    return values[0]


def _refuse_few(found, name, what, way):
    if found < LEAST:
        raise Refusal(f"{name} gives {found} {what}, and at least {LEAST} are needed; {way}.")


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
    share = difference / (0.25 + difference)  # of the variance, that between the Gaussians on the ring
    angles = 2 * np.pi * np.arange(ARCS) / ARCS
    places = np.sqrt(2 * share) * np.column_stack([np.cos(angles), np.sin(angles)])
    return GaussianMixture(np.full(ARCS, 1 / ARCS), mean + spread * places, spread**2 * (1 - share) * np.eye(2))


def _turn(which, spread, mean, difference):
    r = (2 * which - 1) * difference / (1 + difference)
    return _gaussian(mean, spread**2 * np.array([[1.0, r], [r, 1.0]]))
