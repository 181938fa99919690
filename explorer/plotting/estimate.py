"""The picture of an estimate beside the plain average and, where it is known, the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import KME
from explorer.marks.roles import colour
from explorer.types import Points

from .roles import role_of
from .style import LETTERS, holoviews, house

if TYPE_CHECKING:
    from explorer.embeddings import Embedding
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.estimators import Estimator


GRID = 200  # places of a function on a line
MARGIN = 0.25  # of the sample's range, on both sides
WIDTH, HEIGHT = 560, 360


class Sample:
    """The points that are estimated from, and the distribution that they are of, where it is known."""

    def __init__(self, X: Points, law: GaussianMixture | None = None) -> None:
        self.X: Points = X
        self.law: GaussianMixture | None = law

    @property
    def on_a_line(self) -> bool:
        """Whether the points are numbers."""
        X = np.asarray(self.X)
        return X.dtype.kind in "iuf" and (X.ndim == 1 or (X.ndim == 2 and X.shape[1] == 1))


def picture(drawn: tuple[Estimator, Estimator, Embedding], sample: Sample) -> Any:
    """The picture of (an estimator, its selection on the sample, its estimate): functions on a line, or weights."""
    estimator, _, estimate = drawn
    plain = KME(estimate.kernel).embed(sample.X)
    truth = _truth(estimate.kernel, sample.law)
    label = estimator.label or type(estimator).__name__
    if estimator.plain:
        shown = {"kernel mean, the plain average": ("kme", estimate, "solid")}
    else:
        shown = {"plain average": ("kme", plain, "solid"), label: (role_of(label), estimate, "dashed")}
    if truth is not None:
        shown = {"true distribution": ("truth", truth, "solid"), **shown}
    marks = _functions(shown, sample) if sample.on_a_line else _weights(shown)
    return (
        holoviews()
        .Overlay(marks)
        .opts(
            title=_title(label, estimate, plain, truth, estimator.plain),
            width=WIDTH,
            height=HEIGHT,
            fontsize={**LETTERS, "title": "12px"},
            hooks=[house],
            show_grid=True,
            legend_position="bottom",
            legend_cols=4,
            backend="bokeh",
        )
    )


def _truth(kernel, law):
    """The kernel mean of the distribution; None where there is none, or no closed form."""
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
    """A ratio of squared errors in words."""
    if abs(ratio - 1) < 0.005:
        return "that"
    if ratio >= 2:
        return f"{ratio:.3g} times that"
    return f"{abs(ratio - 1):.0%} {'less' if ratio < 1 else 'more'} than that".replace("%", " %")


def _functions(shown, sample):
    hv = holoviews()
    X = np.asarray(sample.X, dtype=float).ravel()
    reach = MARGIN * (float(np.ptp(X)) or 1.0)
    grid = np.linspace(X.min() - reach, X.max() + reach, GRID)
    x, y = hv.Dimension("x"), hv.Dimension("value", label="value of the function")
    marks = [
        hv.Curve((grid, embedding(grid)), x, y, label=label).opts(
            color=colour(role), line_width=2.5, line_dash=dash, framewise=True, backend="bokeh"
        )
        for label, (role, embedding, dash) in shown.items()
    ]
    rug = hv.Scatter((X, np.zeros(len(X))), x, y, label="sample").opts(
        color=colour("kme"), marker="dash", angle=90, size=10, alpha=0.7, framewise=True, backend="bokeh"
    )
    return [*marks, rug]


def _weights(shown):
    hv = holoviews()
    i, w = hv.Dimension("i", label="point, in the sample's order"), hv.Dimension("weight")
    marks = []
    for label, (role, embedding, _) in shown.items():
        if role != "truth":  # its weights are those of a mixture's components
            points = (np.arange(1, len(embedding.weights) + 1), embedding.weights)
            dots = hv.Scatter(points, i, w, label=label)
            marks.append(dots.opts(color=colour(role), size=6, framewise=True, backend="bokeh"))
    return marks
