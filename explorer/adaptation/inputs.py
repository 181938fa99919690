"""Checks of the inputs of adaptation: a source and a target sample in one space, and labels of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.frames import names_of
from explorer.kernels import Delta, Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.learner import Learner
from explorer.printing import plural, short_name
from explorer.types import Points, PointsLike, Rows, Vector, VectorLike, Weights

MOST = 12_000  # most points of the source; their Gram matrix takes 1.2 GB
MOST_CLASSES = 12  # whole numbers with at most this many values, some of them repeated, are classes


class Domains(NamedTuple):
    """A source (n, d) and a target (m, d), and their kernel, chosen on both together.

    Each point of the source represents `counts` (n,) rows. `included` has the numbers of the rows of weight above 0,
    and `rows` is how many were given.
    """

    source: Points
    target: Points
    kernel: Kernel
    counts: np.ndarray
    included: np.ndarray
    rows: int

    @property
    def n(self) -> float:
        """Number of rows that the source represents."""
        return float(self.counts.sum())


def check_domains(
    kernel: Kernel | None,
    source: VectorLike,
    target: VectorLike,
    names: tuple[str, str] = ("X_source", "X_target"),
    weights: VectorLike | None = None,
) -> Domains:
    """Return the Domains of two samples, the source's rows of weight above 0. Refuse samples of other widths."""
    kernel, columns = kernel or Gaussian(), names_of(source) or names_of(target)
    source, target = kernel.points(source, names[0]), kernel.points(target, names[1])
    checks.same_dimension(source, target, names)
    if len(source) > MOST:
        raise Refusal(
            f"{names[0]} has {plural(len(source), 'row')}, whose Gram matrix is too large; give at most {MOST:,}, as"
            f" thin({names[0]}, m).points."
        )
    for points, name in ((source, names[0]), (target, names[1])):
        checks.warn_of_lost_digits(points, name, columns)
    counts = np.ones(len(source)) if weights is None else checks.counts(weights, len(source))
    included = np.flatnonzero(counts)
    P, copies = np.concatenate([source[included], target]), np.concatenate([counts[included], np.ones(len(target))])
    chosen = select(kernel, P, counts=None if weights is None else copies)
    return Domains(
        checks.read_only(source[included]), checks.read_only(target), chosen, counts[included], included, len(source)
    )


class Labels(NamedTuple):
    """Labels of n points: distinct values (q, e), the number of each point's value (n,), kernel, counts (q,)."""

    values: Points
    of_point: np.ndarray
    kernel: Kernel
    counts: np.ndarray

    @property
    def are_classes(self) -> bool:
        """True if the labels are only compared for equality."""
        return isinstance(self.kernel, Delta)


def check_labels(
    kernel: Kernel | None,
    y: PointsLike,
    n: int,
    name: str = "y",
    included: Rows | None = None,
    counts: Vector | None = None,
) -> Labels:
    """Return the Labels of n points. `kernel=None` is `label_kernel`. Refuse labels unless there is one for each point.

    Only the points `included` (p,) count, each of which represents `counts` (p,) rows. None is all points, one row
    each.
    """
    included = np.arange(n) if included is None else included
    checked = checks.labels(y, name) if kernel is None else kernel.points(y, name)
    if len(checked) != n:
        raise Refusal(f"X has {plural(n, 'row')} and {name} has {len(checked)}; give one label for each row.")
    copies = np.ones(len(included)) if counts is None else counts
    given = kernel or label_kernel(checked[included], name, float(copies.sum()))
    y = given.points(checked[included], name)
    values, of_point = np.unique(y, axis=0, return_inverse=True)
    of_point = of_point.reshape(len(y))
    return Labels(values, of_point, select(given, y, "labels", counts), np.bincount(of_point, copies))


def label_kernel(y: VectorLike, name: str = "y", rows: float | None = None) -> Kernel:
    """Return Delta() for words, truth values, and whole numbers of at most 12 values, some repeated, or Gaussian().

    `rows` is the number of rows that the labels represent, None for one each.
    """
    y = checks.labels(y, name)
    if y.dtype.kind in "US":
        return Delta()
    values = np.unique(y, axis=0)
    whole = (y == np.round(y)).all()
    return Delta() if whole and len(values) <= MOST_CLASSES and len(values) < (rows or len(y)) else Gaussian()


def check_classes(
    y: PointsLike, n: int, name: str = "y", included: Rows | None = None, counts: Vector | None = None
) -> Labels:
    """Return the Labels as classes, whatever their type: numbers count by their value."""
    return check_labels(Delta(), y, n, name, included, counts)


def format_label(label: Any) -> str:
    """Format a class for a sentence: a number in few digits."""
    return f"{label:.6g}" if isinstance(label, float) else short_name(label)


class Reweighting(NamedTuple):
    """A source's kernel mean under weights of mean one, its distance to the target's, and the norm of the target's."""

    mean: Embedding
    distance: float
    norm: float


def reweight_source(domains: Domains, weights: Weights) -> Reweighting:
    """Return the Reweighting of the source of some Domains, for weights (n,) of rows."""
    source = Embedding(domains.kernel, domains.source, domains.counts * weights / domains.n)
    m = len(domains.target)
    target = Embedding(domains.kernel, domains.target, np.full(m, 1 / m))
    return Reweighting(source, source.distance(target), target.norm())


def overlap_remark(match: Reweighting, share: float, way_out: str) -> str:
    """Return a remark if a source is farther from the target than a share of its kernel mean's norm, else ""."""
    if match.distance <= share * match.norm:
        return ""
    return (
        f"the source, matched as well as it can be, is still {match.distance:.3g} from the target's kernel mean, whose"
        f" norm is {match.norm:.3g}: the two hardly overlap. {way_out}"
    )


class DomainLearner(Learner):
    """A learner of two samples whose `learn` is `fit` without its warnings: they are in `remark_`, which else is ""."""

    _before = "has seen no samples yet; take fit with both samples first"

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.remark_: str

    def _with_warnings(self):
        """Warn if there is a remark, and return self."""
        if self.remark_:
            checks.warn(self.remark_)
        return self
