"""What adaptation is given: a source and a target sample in one space, and labels of the source."""

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
from explorer.printing import short_name
from explorer.types import Points, PointsLike, Rows, Vector, VectorLike, Weights

MOST = 12_000  # points of the source, whose Gram matrix takes 1.2 GB
MOST_CLASSES = 12  # whole numbers of at most so many values, some of them repeated, are classes


class Domains(NamedTuple):
    """A source (n, d) and a target (m, d), and their kernel, chosen on both together.

    Each point of the source stands for `counts` (n,) rows, `kept` says for which; `rows` is how many were given.
    """

    source: Points
    target: Points
    kernel: Kernel
    counts: np.ndarray
    kept: np.ndarray
    rows: int

    @property
    def n(self) -> float:
        """How many rows the source stands for."""
        return float(self.counts.sum())


def domains(
    kernel: Kernel | None,
    source: VectorLike,
    target: VectorLike,
    names: tuple[str, str] = ("X_source", "X_target"),
    weights: VectorLike | None = None,
) -> Domains:
    """The Domains of two samples, the source's of weight above 0; a sentence where they do not go together."""
    kernel, columns = kernel or Gaussian(), names_of(source) or names_of(target)
    source, target = kernel.points(source, names[0]), kernel.points(target, names[1])
    checks.same_dimension(source, target, names)
    if len(source) > MOST:
        raise Refusal(
            f"{names[0]} has {len(source):,} rows, whose Gram matrix is too large; give at most {MOST:,}, as"
            f" thin({names[0]}, m).points."
        )
    for points, name in ((source, names[0]), (target, names[1])):
        checks.warn_of_lost_digits(points, name, columns)
    counts = np.ones(len(source)) if weights is None else checks.counts(weights, len(source))
    kept = np.flatnonzero(counts)
    P, copies = np.concatenate([source[kept], target]), np.concatenate([counts[kept], np.ones(len(target))])
    chosen = select(kernel, P, counts=None if weights is None else copies)
    return Domains(checks.read_only(source[kept]), checks.read_only(target), chosen, counts[kept], kept, len(source))


class Labels(NamedTuple):
    """The labels of n points: their distinct values (q, e), which of them each point has (n,), and their kernel.

    counts  (q,), how many rows have each value
    """

    values: Points
    of_point: np.ndarray
    kernel: Kernel
    counts: np.ndarray

    @property
    def are_classes(self) -> bool:
        """Whether they are compared for equality alone."""
        return isinstance(self.kernel, Delta)


def labels(
    kernel: Kernel | None,
    y: PointsLike,
    n: int,
    name: str = "y",
    kept: Rows | None = None,
    counts: Vector | None = None,
) -> Labels:
    """The Labels of n points; None as the kernel is `label_kernel`. A sentence where there is not one for each.

    Of the points `kept` (p,), each of which stands for `counts` (p,) rows; None is all, each for itself.
    """
    kept = np.arange(n) if kept is None else kept
    checked = checks.labels(y, name) if kernel is None else kernel.points(y, name)
    if len(checked) != n:
        raise Refusal(f"X has {n} rows and {name} has {len(checked)}; give one label for each row.")
    copies = np.ones(len(kept)) if counts is None else counts
    given = kernel or label_kernel(checked[kept], name, float(copies.sum()))
    y = given.points(checked[kept], name)
    values, of_point = np.unique(y, axis=0, return_inverse=True)
    of_point = of_point.reshape(len(y))
    return Labels(values, of_point, select(given, y, "labels", counts), np.bincount(of_point, copies))


def label_kernel(y: VectorLike, name: str = "y", rows: float | None = None) -> Kernel:
    """Delta() for words, truth values, and whole numbers of at most 12 values, some repeated; else Gaussian().

    The labels stand for so many rows, None for one each.
    """
    y = checks.labels(y, name)
    if y.dtype.kind in "US":
        return Delta()
    values = np.unique(y, axis=0)
    whole = (y == np.round(y)).all()
    return Delta() if whole and len(values) <= MOST_CLASSES and len(values) < (rows or len(y)) else Gaussian()


def classes(y: PointsLike, n: int, name: str = "y", kept: Rows | None = None, counts: Vector | None = None) -> Labels:
    """Labels that are classes, whatever they look like: numbers count by their value."""
    return labels(Delta(), y, n, name, kept, counts)


def called(label: Any) -> str:
    """A class in a sentence: a number in few digits."""
    return f"{label:.6g}" if isinstance(label, float) else short_name(label)


class Reweighted(NamedTuple):
    """A source's kernel mean under weights of mean one, its distance to the target's, and the norm of that."""

    mean: Embedding
    distance: float
    norm: float


def reweighted(domains: Domains, weights: Weights) -> Reweighted:
    """The Reweighted source of some Domains, for weights (n,) of rows."""
    source = Embedding(domains.kernel, domains.source, domains.counts * weights / domains.n)
    m = len(domains.target)
    target = Embedding(domains.kernel, domains.target, np.full(m, 1 / m))
    return Reweighted(source, source.distance(target), target.norm())


def no_overlap(found: Reweighted, share: float, way_out: str) -> str:
    """What is to be said where a source is farther from the target than a share of its kernel mean's norm, else ""."""
    if found.distance <= share * found.norm:
        return ""
    return (
        f"the source, matched as well as it can be, is still {found.distance:.3g} from the target's kernel mean, whose"
        f" norm is {found.norm:.3g}: the two hardly overlap. {way_out}"
    )


class Adapted(Learner):
    """A learner of two samples whose `learn` is `fit` without its warnings: `remark_` has what they say, else ""."""

    _before = "has seen no samples yet; take fit with both samples first"

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.remark_: str

    def _warned(self):
        """Itself, after its warnings."""
        if self.remark_:
            checks.warn(self.remark_)
        return self
