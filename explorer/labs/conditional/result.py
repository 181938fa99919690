"""Results of the conditional lab: one of five pictures, and only the stages that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.conditional import ConditionalEmbedding, KernelBayesRule, bayes_rule
from explorer.conditional.fan import Fan
from explorer.conditional.leave_one_out import Refits
from explorer.conditional.tables import exact_rules, kernel_rules
from explorer.datasets import joint
from explorer.embeddings import Embedding
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.types import Matrix, Vector
from explorer.workbench import effect, for_picture, measure, stage
from explorer.workbench.cost import costs
from explorer.workbench.numbers import ratio
from explorer.workbench.pairs import PairsResult
from explorer.workbench.slider_stops import steps_of, with_value

from .lab import TABLED, ConditionalLab
from .path import PathStages
from .refits import costs_decomposition, costs_scores
from .tree.beliefs import TreeStages

if TYPE_CHECKING:
    from explorer.conditional.tables import TableRules
    from explorer.datasets.columns.quantity import Quantity
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.kernels.base import Kernel


ALONG, ACROSS = 61, 121  # number of x positions for the mean of y, and of y positions for densities
TABLE_LAM = 1e-9  # λ of the table's rules, which are exact except for it


class ConditionalResult(PathStages, TreeStages, PairsResult[ConditionalLab]):
    """Numbers of a state. Rows of its tables are the slider's λ, followed by the leave-one-out choice."""

    @stage
    def kernels(self) -> tuple[Kernel, Kernel]:
        """Return the kernels of x and y, or of observation and state. A Gram matrix is the kernel of its side."""
        lab = self.lab
        if lab.picture != "filter":
            medians, given = self.medians, True
        else:
            given = lab.path == "rows"
            medians = [median_and_remark(Z)[0] for Z in (self.course.observations, self.course.states)]
        of_x, of_y = (Gaussian(lab.bandwidth * median) for median in medians)
        return lab.compared((of_x, of_y)) if given else (of_x, of_y)

    @for_picture("cut", "bayes")
    def x(self) -> Matrix:
        """Return the observed x, shape (1, d). It sets the first column; the others are at their medians."""
        mean, sd = self.units[0]
        return np.concatenate([[mean + sd * self.lab.at], np.median(self.pairs.X[:, 1:], axis=0)])[None]

    @for_picture("cut", "bayes")
    def units(self) -> tuple[tuple[float, float], ...]:
        """Return mean and standard deviation of the first columns of x and y, the units of x and of the prior."""
        if self.lab.joint:
            return (0.0, 1.0), (0.0, 1.0)
        return tuple((float(Z[:, 0].mean()), float(Z[:, 0].std())) for Z in (self.pairs.X, self.pairs.Y))

    @for_picture("cut")
    def slider_positions(self) -> Vector:
        """Return the values of x at which the slider stops."""
        mean, sd = self.units[0]
        field: Any = ConditionalLab.fields["at"]  # the slider needs a Real
        return mean + sd * np.array(with_value(steps_of(field), self.lab.at))

    @for_picture("cut", "bayes")
    def grids(self) -> tuple[Matrix, Matrix]:
        """Return points for functions of x (ALONG, d) and of y (ACROSS, e), with other columns at their medians."""
        pairs, sides = self.pairs, []
        for Z, ends, count in ((pairs.X, pairs.ends[0], ALONG), (pairs.Y, pairs.ends[1], ACROSS)):
            points = np.tile(np.median(Z, axis=0), (count, 1))
            points[:, 0] = np.linspace(*ends, count)
            sides.append(points)
        return tuple(sides)

    @stage
    def unit(self) -> float:
        """Return the density that a point of weight 1 adds at its position; 0 if y has no density."""
        if self.lab.by_gram[1]:
            return 0.0
        points = self.course.states if self.lab.picture == "filter" else self.pairs.Y
        return 1.0 if not len(points) else float(Embedding(self.kernels[1], points[:1], [1.0]).density(points[:1])[0])

    # Stages of the picture "cut".

    @for_picture("cut")
    @costs_decomposition
    def refits(self) -> Refits:
        """Return the leave-one-out refits of the regression of y on x, which serve every λ."""
        kx, ky = self.kernels
        return Refits(kx(self.pairs.X), ky(self.pairs.Y))

    @for_picture("cut")
    def exact(self) -> Embedding | None:
        """Return the exact conditional kernel mean of y at x, or None for a table."""
        if self.lab.joint is None:
            return None
        return joint(self.lab.joint).given(self.x[0, 0]).embed(self.kernels[1])

    @for_picture("cut")
    @costs_scores
    def scores(self) -> tuple[Vector, float, Vector]:
        """Return the leave-one-out scores of the slider's λ, the best λ of all, and its score (1,)."""
        best = self.refits.best()
        return self.refits.scores(self.lab.stops), best, self.refits.scores([best])

    @for_picture("cut")
    def mean_of_y(self) -> Matrix:
        """Return the mean of y over x for every λ, shape (r, ALONG)."""
        at = self.kernels[0](self.grids[0], self.pairs.X)
        return self.refits.weights(self.pairs.Y[:, 0], self._lams) @ at.T

    @for_picture("cut")
    def fan(self) -> Fan:
        """Return the conditional embedding of y at x for every λ."""
        scores = np.append(self.scores[0], self.scores[2])
        return Fan.at(self.refits, self.kernels, self.pairs.X, self.pairs.Y, self.x, self._lams, scores, self.exact)

    @for_picture("cut")
    def density(self) -> Matrix:
        """Return the density of y at x for every λ, shape (r, ACROSS); 0 for a y known by a Gram matrix."""
        return self.fan.weights @ self.kernels[1](self.pairs.Y, self.grids[1]) * self.unit

    @for_picture("cut")
    def exact_density(self) -> Vector | None:
        """Return the exact density of y at x, smoothed by the kernel, shape (ACROSS,); None for a table."""
        return None if self.exact is None else self.exact.density(self.grids[1])

    @for_picture("cut")
    def regression(self) -> ConditionalEmbedding:
        """Return the ConditionalEmbedding at the lab's λ, which does not depend on x."""
        return ConditionalEmbedding(*self.kernels, self.lam).fit(self.pairs.X, self.pairs.Y)

    @for_picture("cut")
    def belief(self) -> Embedding:
        """Return the regression's embedding of y given x."""
        return self.regression.embed(self.x)

    @for_picture("cut")
    def true_mean(self) -> Vector | None:
        """Return the exact mean of y over x, shape (ALONG,), or None for a table."""
        return None if self.lab.joint is None else joint(self.lab.joint).mean(self.grids[0][:, 0])

    @property
    def _lams(self):
        return np.array([*self.lab.stops, self.scores[1]])

    # Stages of the picture "bayes".

    @for_picture("bayes")
    def prior_law(self) -> GaussianMixture:
        """Return the prior of y, a GaussianMixture. All columns of y have the same one."""
        return self.lab.the_prior(*self.units[1])

    @for_picture("bayes")
    def prior(self) -> Embedding:
        """Return the embedded prior: a sample as large as that of the pairs, with other columns at their medians."""
        points = np.tile(np.median(self.pairs.Y, axis=0), (self.lab.n, 1))
        points[:, 0] = self.prior_law.sample(self.lab.n, self.lab.seed)[:, 0]
        return KME(self.kernels[1]).embed(points)

    @for_picture("bayes")
    @costs_scores
    def reverse(self) -> float:
        """Return the leave-one-out λ of x on y, which the joint distribution under the prior needs."""
        kx, ky = self.kernels
        return Refits(ky(self.pairs.Y), kx(self.pairs.X)).best()

    @for_picture("bayes")
    @costs_decomposition
    def rule(self) -> KernelBayesRule:
        """Return the fitted KernelBayesRule, which does not depend on x."""
        lam = self.reverse if self.lab.lam is None else self.lab.lam
        model = KernelBayesRule(*self.kernels, lam, self.lab.lam_posterior)
        return model.fit(self.pairs.X, self.pairs.Y, self.prior)

    @for_picture("bayes")
    def predicted(self) -> Vector | None:
        """Return the density of x under the prior, shape (ALONG,), or None if x is known by a Gram matrix."""
        if self.lab.by_gram[0]:
            return None
        return Embedding(self.kernels[0], self.pairs.X, self.rule.marginal_).density(self.grids[0])

    @for_picture("bayes")
    def posterior(self) -> Embedding:
        """Return the posterior embedding of y at x."""
        return self.rule.embed(self.x)

    @for_picture("bayes")
    def printed(self) -> Embedding | None:
        """Return the posterior by the rule as the article prints it, or None if it is not requested."""
        if not self.lab.printed:
            return None
        given = self.pairs.X, self.pairs.Y, self.prior, self.x, *self.kernels, self.rule.lam, self.lab.lam_posterior
        return bayes_rule(*given, printed=True)

    @for_picture("bayes")
    def exact_posterior(self) -> Embedding | None:
        """Return the exact posterior embedding, or None for a table."""
        if self.lab.joint is None:
            return None
        return joint(self.lab.joint).posterior(self.x[0, 0], self.prior_law, self.kernels[1])

    @for_picture("bayes")
    def densities(self) -> dict[str, Vector]:
        """Return the available densities at the positions of y: prior, posterior, exact, printed."""
        parts = {"prior": self.prior, "posterior": self.posterior}
        parts |= {"exact": self.exact_posterior, "printed": self.printed}
        return {name: e.density(self.grids[1]) for name, e in parts.items() if e is not None}

    # Stage of the picture "table".

    @for_picture("table")
    @costs("the rules of the table", 5e-3)
    def rules(self) -> tuple[TableRules, TableRules]:
        """Return the rules of probability on the table of counts: by fractions, and by the kernel rules."""
        given = self.lab.table_counts, self.lab.table_prior, self.lab.seen - 1
        return exact_rules(*given), kernel_rules(*given, TABLE_LAM)

    # Numbers for pages and tables.

    @property
    def lam(self) -> float | None:
        """λ of the lab, or the leave-one-out choice if the lab leaves it open."""
        if self.lab.lam is not None:
            return self.lab.lam
        by_picture = {
            "cut": self.scores and self.scores[1],
            "bayes": self.reverse,
            "filter": self.onward,
            "tree": self.tree_lam,
        }
        return by_picture.get(self.lab.picture)

    @property
    def prior_mean(self) -> float:
        """Mean of y before x is observed, in y's units."""
        return float(self.of_y.to_file_units(self.prior_law.mean[0]))

    @property
    def of_x(self) -> Quantity:
        """Quantity of the first column of x."""
        return self.pairs.on_axes[0]

    @property
    def of_y(self) -> Quantity:
        """Quantity of the first column of y."""
        return self.pairs.on_axes[1]

    @property
    def exact_mean(self) -> float | None:
        """Exact mean of y given x, before or after Bayes' rule, or None if it is unknown."""
        if self.lab.joint is not None and self.exact is not None:
            return float(joint(self.lab.joint).mean(self.x[0])[0])
        return None if self.exact_posterior is None else float(self.exact_posterior.mean()[0])

    @property
    def answers(self) -> bool:
        """True if every λ has a row: only in the picture "cut", and not for very many pairs."""
        return self.lab.picture == "cut" and self.lab.n <= TABLED

    @property
    def row(self) -> int:
        """Row of the tables for the lab's λ."""
        return [*self.stops, None].index(self.lab.lam) if self.lab.picture == "cut" else 0

    def lam_at(self, row: int | None = None) -> float | None:
        """Return the λ of a row, or that of the lab."""
        return self.lam if row is None or row == self.row else float(self._lams[row])

    # Measures and effects, for comparisons, sweeps and presets.

    def _distance(self):
        if self.lab.picture == "cut" and self.exact is not None:
            return self.belief.distance(self.exact)
        if self.lab.picture == "bayes" and self.exact_posterior is not None:
            return self.posterior.distance(self.exact_posterior)
        return None

    distance: measure[float | None] = measure("distance to the exact embedding", compute=_distance)
    negative: measure[float | None] = measure(
        "negative share of the weights", compute=lambda r: r.fan and float(r.fan.negative[r.row])
    )
    mean: measure[float | None] = measure("mean of y", compute=lambda r: _mean(r))
    chosen: measure[float | None] = measure("lambda", "λ", of="lam")
    kernel_error: measure[float | None] = measure("error of the kernel filter", compute=lambda r: _missed(r, "kernel"))
    kalman_error: measure[float | None] = measure("error of Kalman's filter", compute=lambda r: _missed(r, "kalman"))
    apart: measure[float | None] = measure(
        "largest difference of rule and table",
        compute=lambda r: r.rules[0].largest_difference(r.rules[1]) if r.rules else None,
    )

    effect_between: effect[float | None] = effect(
        "the density at the mean relative to the highest", compute=lambda r: r.fan and _at_the_mean(r)
    )
    effect_distance: effect[float | None] = effect("the distance to the exact embedding", compute=_distance)
    effect_small: effect[float | None] = effect(
        "the distance relative to leave-one-out's",
        compute=lambda r: ratio(r.distance, r.fan.distance[-1]) if r.fan and r.exact else None,
    )
    effect_filters: effect[float | None] = effect(
        "the kernel filter's error relative to Kalman's",
        compute=lambda r: ratio(r.kernel_error, r.kalman_error) if r.tracks else None,
    )
    effect_exact: effect[float | None] = effect(
        "the kernel filter's distance from the exact belief relative to Kalman's",
        compute=lambda r: ratio(r.off("kernel"), r.off("kalman")) if r.fine is not None else None,
    )
    effect_printed: effect[float | None] = effect(
        "the printed rule's distance relative to the right one's",
        compute=lambda r: r.exact_posterior and r.printed and ratio(r.printed.distance(r.exact_posterior), r.distance),
    )
    effect_apart: effect[float | None] = effect("the largest difference of rule and table", of="apart")

    # Numbers that the stories let the user guess.

    mean_ratio = property(lambda self: self.mean / self.exact_mean, doc="The estimated mean of y over the exact one.")


def _mean(result):
    """Return the mean of y given x, in y's units, from the embedding's weights; None for other pictures."""
    belief = result.belief or result.posterior
    return None if belief is None else float(result.of_y.to_file_units(belief.mean()[0]))


def _missed(result, name):
    """Return a filter's error in the state's units, or None if no filter is shown."""
    return result.course.quantity.size * result.error(name) if result.tracks else None


def _at_the_mean(result):
    """Return the density at the mean of y relative to its maximum, or None without density.

    It is small if the mean lies between two branches.
    """
    if result.lab.by_gram[1]:
        return None
    belief, highest = result.belief, result.density[result.row].max()
    if not highest > 0:
        return None
    point = belief.points[:1].copy()
    point[0, 0] = belief.mean()[0]
    return float(belief.density(point)[0] / highest)
