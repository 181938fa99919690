"""The picture of an estimate, compared with the plain average and, if it is known, the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.kernels.low_rank import automatic, some_rows
from explorer.kernels.low_rank.automatic import values_take
from explorer.marks import Axis, Columns, chart, curve, dots
from explorer.plotting.drawings import Drawing
from explorer.plotting.roles import role_of_model
from explorer.types import Points

if TYPE_CHECKING:
    from explorer.embeddings import Embedding
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.estimators import Estimator
    from explorer.kernels import Kernel
    from explorer.types import Rows

GRID = 200  # number of places at which a function on a line is drawn
DRAWN = 2000  # the largest number of points, and of weights, that are drawn: more overlap and slow down a browser
MARGIN = 0.25  # margin on both sides, as a share of the sample's range
WIDTH, HEIGHT = 560, 360


class Estimate(NamedTuple):
    """An estimator on a sample, as the picture shows it.

    Attributes
    ----------
    estimator : Estimator
        The estimator.
    chosen : Estimator
        Its selection on the sample.
    embedding : Embedding
        Its estimate.
    average : Embedding
        The plain average under the same kernel, for comparison.
    """

    estimator: Estimator
    chosen: Estimator
    """Its selection on the sample."""
    embedding: Embedding
    average: Embedding
    """The plain average under the same kernel, which it is compared with."""


class Sample:
    """The points to estimate from, and their distribution if it is known."""

    def __init__(self, X: Points, law: GaussianMixture | None = None) -> None:
        self.X: Points = X
        self.law: GaussianMixture | None = law
        self._kernels: dict[tuple[type[Estimator], Kernel], Kernel | None] = {}

    def estimate(self, estimator: Estimator) -> Estimate:
        """Return the estimate to draw. KME without an approximation is drawn as if it had "auto"."""
        if isinstance(estimator, KME) and estimator.approximation is None:
            chosen = self._select(estimator.replace(approximation="auto")).replace(approximation=None)
            average = self._average(chosen)
            return Estimate(estimator, chosen, average, average)
        chosen = self._select(estimator)
        embedding = chosen.embed(self.X)
        return Estimate(estimator, chosen, embedding, self._average(KME(embedding.kernel)))

    def _select(self, estimator):
        """Return an estimator's selection. Its bandwidth is chosen once, since that may be slow, and may warn."""
        if len(self.X) < 2:
            return estimator
        key = type(estimator), Gaussian() if estimator.kernel is None else estimator.kernel
        if (kernel := self._kernels.get(key)) is not None:
            estimator = estimator.replace(kernel=kernel)
        chosen = estimator.select(self.X)
        self._kernels[key] = chosen.kernel
        return chosen

    def _average(self, kme):
        """Return a plain average: exact if drawing it takes at most two seconds, and otherwise approximated."""
        # weights are 1/n at no cost; a curve needs the kernel between all points and its places
        takes = values_take(kme.kernel or Gaussian(), GRID * len(self.X), 1) if self.on_a_line else 0.0
        return kme.replace(approximation=None if takes <= automatic.SECONDS else "auto").embed(self.X)

    def holds(self, embedding: Embedding) -> bool:
        """Return whether the points of an embedding are the sample's, in its order, and not landmarks."""
        return embedding.error is None or np.array_equal(embedding.points, embedding.kernel.points(self.X))

    def remarks(self, drawn: Estimate) -> list[str]:
        """Return sentences on how many points are drawn, if not all, and on the error of approximated embeddings."""
        sentences, embeddings = [], {"The plain average": drawn.average}
        if not drawn.estimator.plain:
            embeddings[label_of(drawn.estimator)] = drawn.embedding
        if len(self.X) > DRAWN:
            sentences.append(f"{DRAWN:,} of them, chosen at random, are drawn.")
        for name, each in embeddings.items():
            if not self.holds(each):
                r = len(each.weights)
                sentences.append(
                    f"{name} is computed from {'1 landmark' if r == 1 else f'{r:,} landmarks'}. Its error is about"
                    f" {each.error:.2g} or less, its norm {each.norm():.3g}."
                )
        return sentences

    @property
    def on_a_line(self) -> bool:
        """True if the points are numbers."""
        X = np.asarray(self.X)
        return X.dtype.kind in "iuf" and (X.ndim == 1 or (X.ndim == 2 and X.shape[1] == 1))


def label_of(estimator: Estimator) -> str:
    """Return the label of an estimator in the legend."""
    return estimator.label or type(estimator).__name__


def picture(drawn: Estimate, sample: Sample) -> Drawing:
    """Return the picture of an estimate: functions on a line, or weights."""
    estimator, _, estimate, plain = drawn
    truth = _truth(estimate.kernel, sample.law)
    label = label_of(estimator)
    if estimator.plain:
        shown = {"kernel mean, the plain average": ("kme", estimate, "solid")}
    else:
        shown = {"plain average": ("kme", plain, "solid"), label: (role_of_model(label), estimate, "dashed")}
    if truth is not None:
        shown = {"true distribution": ("truth", truth, "solid"), **shown}
    title = _title(label, estimate, plain, truth, estimator.plain)
    parts = _functions(shown, sample) if sample.on_a_line else _weights(shown, sample)
    return Drawing(chart(title, *parts, size=(WIDTH, HEIGHT), legend_below=True))


def _truth(kernel, law):
    """Return the kernel mean of the distribution, or None if there is no distribution or no closed form."""
    if law is None:
        return None
    try:
        return law.embed(kernel)
    except Refusal:
        return None


def _title(label, estimate, plain, truth, is_plain):
    if truth is None:
        return "The true distribution is unknown, and so is the error"
    error, usual = estimate.distance(truth) ** 2, plain.distance(truth) ** 2
    if is_plain or usual == 0:
        return f"squared error {error:.4g}"
    return f"{label}: squared error {error:.4g}, {_compared(error / usual)} of the plain average"


def _compared(ratio):
    """Describe a ratio of squared errors."""
    if abs(ratio - 1) < 0.005:
        return "that"
    if ratio >= 2:
        return f"{ratio:.3g} times that"
    return f"{abs(ratio - 1):.0%} {'less' if ratio < 1 else 'more'} than that".replace("%", " %")


def _functions(shown, sample):
    X = np.asarray(sample.X, dtype=float).ravel()
    reach = MARGIN * (float(np.ptp(X)) or 1.0)
    grid, some = np.linspace(X.min() - reach, X.max() + reach, GRID), X[_drawn_rows(len(X))]
    marks = [
        curve(Columns(x=grid, y=embedding(grid)), role, width=2.5, dash=dash, label=label)
        for label, (role, embedding, dash) in shown.items()
    ]
    rug = Columns(x=some, y=np.zeros(len(some)))
    marks.append(dots(rug, "kme", marker="dash", angle=np.pi / 2, size=10, fill=0.7, alpha=0.7, label="sample"))
    return Axis("x", name="x"), Axis("value of the function", name="value"), marks


def _weights(shown, sample):
    # leave out the truth, whose weights are those of a mixture's components
    weighted = {label: (role, each) for label, (role, each, _) in shown.items() if role != "truth"}
    landmarks = "" if all(sample.holds(each) for _, each in weighted.values()) else " or landmark"
    marks = []
    for label, (role, each) in weighted.items():
        rows = _drawn_rows(len(each.weights))
        marks.append(dots(Columns(x=rows + 1, y=each.weights[rows]), role, label=label))
    return Axis(f"point, in the sample's order{landmarks}", name="i"), Axis("weight", name="weight"), marks


def _drawn_rows(n: int) -> Rows:
    """Return the rows of the n points or weights that are drawn: DRAWN at random, the same after every move."""
    return some_rows(n, DRAWN, 0, "points drawn")
