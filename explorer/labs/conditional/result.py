"""What a state of the Conditional lab shows: one of five pictures, and the stages that it alone needs."""

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
from explorer.workbench.numbers import ratio
from explorer.workbench.pairs import PairsResult
from explorer.workbench.steps import steps_of, with_value

from .lab import TABLED, ConditionalLab
from .path import PathStages
from .tree.beliefs import TreeStages

if TYPE_CHECKING:
    from explorer.conditional.tables import TableRules
    from explorer.datasets.columns.quantity import Quantity
    from explorer.embeddings.mixture import GaussianMixture
    from explorer.kernels.base import Kernel


ALONG, ACROSS = 61, 121  # places of x where the mean of y is drawn, and of y where densities are
TABLE_LAM = 1e-9  # of the table's rules: exact but for that


class ConditionalResult(PathStages, TreeStages, PairsResult[ConditionalLab]):
    """The numbers of a state. Rows of tables: the slider's λ, then the leave-one-out choice."""

    @stage
    def kernels(self) -> tuple[Kernel, Kernel]:
        """The kernels of x and y, or of what is seen and of the hidden state; a Gram matrix is its side's own."""
        lab = self.lab
        if lab.picture != "filter":
            medians, given = self.medians, True
        else:
            given = lab.path == "rows"
            medians = [median_and_remark(Z)[0] for Z in (self.course.seen, self.course.states)]
        of_x, of_y = (Gaussian(lab.bandwidth * median) for median in medians)
        return lab.compared((of_x, of_y)) if given else (of_x, of_y)

    @for_picture("cut", "bayes")
    def x(self) -> Matrix:
        """The observed x, (1, d): of several columns the first, the others at their medians."""
        mean, sd = self.units[0]
        return np.concatenate([[mean + sd * self.lab.at], np.median(self.pairs.X[:, 1:], axis=0)])[None]

    @for_picture("cut", "bayes")
    def units(self) -> tuple[tuple[float, float], ...]:
        """Mean and standard deviation of x and of y, of their first columns, in which x and the prior count."""
        if self.lab.joint:
            return (0.0, 1.0), (0.0, 1.0)
        return tuple((float(Z[:, 0].mean()), float(Z[:, 0].std())) for Z in (self.pairs.X, self.pairs.Y))

    @for_picture("cut")
    def places_of_slider(self) -> Vector:
        """The x that the slider stops at."""
        mean, sd = self.units[0]
        field: Any = ConditionalLab.fields["at"]  # a Real
        return mean + sd * np.array(with_value(steps_of(field), self.lab.at))

    @for_picture("cut", "bayes")
    def places(self) -> tuple[Matrix, Matrix]:
        """Where functions of x and of y are drawn: (ALONG, d) and (ACROSS, e), other columns at their medians."""
        pairs, sides = self.pairs, []
        for Z, ends, count in ((pairs.X, pairs.ends[0], ALONG), (pairs.Y, pairs.ends[1], ACROSS)):
            points = np.tile(np.median(Z, axis=0), (count, 1))
            points[:, 0] = np.linspace(*ends, count)
            sides.append(points)
        return tuple(sides)

    @stage
    def unit(self) -> float:
        """What a point of weight one adds to a density at its own place; nothing where y has no density."""
        if self.lab.by_gram[1]:
            return 0.0
        points = self.course.states if self.lab.picture == "filter" else self.pairs.Y
        return 1.0 if not len(points) else float(Embedding(self.kernels[1], points[:1], [1.0]).density(points[:1])[0])

    # cut

    @for_picture("cut")
    def refits(self) -> Refits:
        """The Refits of y on x, for every λ."""
        kx, ky = self.kernels
        return Refits(kx(self.pairs.X), ky(self.pairs.Y))

    @for_picture("cut")
    def exact(self) -> Embedding | None:
        """The exact conditional kernel mean of y at x, an Embedding; None for a table."""
        if self.lab.joint is None:
            return None
        return joint(self.lab.joint).given(self.x[0, 0]).embed(self.kernels[1])

    @for_picture("cut")
    def scores(self) -> tuple[Vector, float, Vector]:
        """The leave-one-out score of every λ of the slider, the λ of the least one anywhere, and that score, (1,)."""
        best = self.refits.best()
        return self.refits.scores(self.lab.stops), best, self.refits.scores([best])

    @for_picture("cut")
    def mean_of_y(self) -> Matrix:
        """The mean of y over x, (r, ALONG), for every λ."""
        at = self.kernels[0](self.places[0], self.pairs.X)
        return self.refits.weights(self.pairs.Y[:, 0], self._lams) @ at.T

    @for_picture("cut")
    def fan(self) -> Fan:
        """The Fan at x: y for every λ."""
        scores = np.append(self.scores[0], self.scores[2])
        return Fan.at(self.refits, self.kernels, self.pairs.X, self.pairs.Y, self.x, self._lams, scores, self.exact)

    @for_picture("cut")
    def density(self) -> Matrix:
        """The density of y at x, (r, ACROSS), for every λ; 0 of a y known by a Gram matrix, which has none."""
        return self.fan.weights @ self.kernels[1](self.pairs.Y, self.places[1]) * self.unit

    @for_picture("cut")
    def exact_density(self) -> Vector | None:
        """The exact density of y at x, blurred by the kernel, (ACROSS,); None for a table."""
        return None if self.exact is None else self.exact.density(self.places[1])

    @for_picture("cut")
    def regression(self) -> ConditionalEmbedding:
        """The library's ConditionalEmbedding at the lab's λ, which x does not touch."""
        return ConditionalEmbedding(*self.kernels, self.lam).fit(self.pairs.X, self.pairs.Y)

    @for_picture("cut")
    def belief(self) -> Embedding:
        """Its embedding of y given x, an Embedding."""
        return self.regression.embed(self.x)

    @for_picture("cut")
    def true_mean(self) -> Vector | None:
        """The exact mean of y over x, (ALONG,); None for a table."""
        return None if self.lab.joint is None else joint(self.lab.joint).mean(self.places[0][:, 0])

    @property
    def _lams(self):
        return np.array([*self.lab.stops, self.scores[1]])

    # Bayes

    @for_picture("bayes")
    def prior_law(self) -> GaussianMixture:
        """The prior of y, a GaussianMixture; of several columns all have it."""
        return self.lab.the_prior(*self.units[1])

    @for_picture("bayes")
    def prior(self) -> Embedding:
        """A sample of the prior, as large as that of the pairs, embedded; other columns at their medians."""
        points = np.tile(np.median(self.pairs.Y, axis=0), (self.lab.n, 1))
        points[:, 0] = self.prior_law.sample(self.lab.n, self.lab.seed)[:, 0]
        return KME(self.kernels[1]).embed(points)

    @for_picture("bayes")
    def reverse(self) -> float:
        """The leave-one-out λ of x on y, which the joint distribution under the prior needs."""
        kx, ky = self.kernels
        return Refits(ky(self.pairs.Y), kx(self.pairs.X)).best()

    @for_picture("bayes")
    def rule(self) -> KernelBayesRule:
        """The KernelBayesRule, which x does not touch."""
        lam = self.reverse if self.lab.lam is None else self.lab.lam
        model = KernelBayesRule(*self.kernels, lam, self.lab.lam_posterior)
        return model.fit(self.pairs.X, self.pairs.Y, self.prior)

    @for_picture("bayes")
    def predicted(self) -> Vector | None:
        """The density of x under the prior, by the pairs' weights, (ALONG,); None of an x known by a Gram matrix."""
        if self.lab.by_gram[0]:
            return None
        return Embedding(self.kernels[0], self.pairs.X, self.rule.marginal_).density(self.places[0])

    @for_picture("bayes")
    def posterior(self) -> Embedding:
        """The posterior of y at x, an Embedding."""
        return self.rule.embed(self.x)

    @for_picture("bayes")
    def printed(self) -> Embedding | None:
        """The posterior as the article prints it, where it is asked for."""
        if not self.lab.printed:
            return None
        given = self.pairs.X, self.pairs.Y, self.prior, self.x, *self.kernels, self.rule.lam, self.lab.lam_posterior
        return bayes_rule(*given, printed=True)

    @for_picture("bayes")
    def exact_posterior(self) -> Embedding | None:
        """The exact posterior, embedded; None for a table."""
        if self.lab.joint is None:
            return None
        return joint(self.lab.joint).posterior(self.x[0, 0], self.prior_law, self.kernels[1])

    @for_picture("bayes")
    def densities(self) -> dict[str, Vector]:
        """Name -> density at the places of y, of what there is: prior, posterior, exact, printed."""
        parts = {"prior": self.prior, "posterior": self.posterior}
        parts |= {"exact": self.exact_posterior, "printed": self.printed}
        return {name: e.density(self.places[1]) for name, e in parts.items() if e is not None}

    # table

    @for_picture("table")
    def rules(self) -> tuple[TableRules, TableRules]:
        """The table's rules by fractions and by the kernel rules, TableRules both."""
        given = self.lab.table_counts, self.lab.table_prior, self.lab.seen - 1
        return exact_rules(*given), kernel_rules(*given, TABLE_LAM)

    # what pages and tables read

    @property
    def lam(self) -> float | None:
        """λ, chosen by leave-one-out where the lab leaves it open."""
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
        """The mean of y before x is seen, in y's own units."""
        return float(self.of_y.own(self.prior_law.mean[0]))

    @property
    def of_x(self) -> Quantity:
        """The Quantity of x, of its first column."""
        return self.pairs.on_axes[0]

    @property
    def of_y(self) -> Quantity:
        """The Quantity of y, of its first column."""
        return self.pairs.on_axes[1]

    @property
    def exact_mean(self) -> float | None:
        """The exact mean of y given x, before or after Bayes' rule; None where the truth is unknown."""
        if self.lab.joint is not None and self.exact is not None:
            return float(joint(self.lab.joint).mean(self.x[0])[0])
        return None if self.exact_posterior is None else float(self.exact_posterior.mean()[0])

    @property
    def answers(self) -> bool:
        """Whether every λ has a row: of the cut, unless there are very many pairs."""
        return self.lab.picture == "cut" and self.lab.n <= TABLED

    @property
    def row(self) -> int:
        """The row of the tables that the lab is at."""
        return [*self.stops, None].index(self.lab.lam) if self.lab.picture == "cut" else 0

    def lam_at(self, row: int | None = None) -> float | None:
        """The λ of a row, or the lab's own."""
        return self.lam if row is None or row == self.row else float(self._lams[row])

    # what states are compared by, and what presets promise

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
    chosen: measure[float | None] = measure("lambda", "λ", lambda r: r.lam)
    kernel_error: measure[float | None] = measure("error of the kernel filter", compute=lambda r: _missed(r, "kernel"))
    kalman_error: measure[float | None] = measure("error of Kalman's filter", compute=lambda r: _missed(r, "kalman"))
    apart: measure[float | None] = measure(
        "largest difference of rule and table", compute=lambda r: r.rules[0].apart(r.rules[1]) if r.rules else None
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
    effect_apart: effect[float | None] = effect("the largest difference of rule and table", compute=lambda r: r.apart)


def _mean(result):
    """The mean of y given x, in y's own units, by the embedding's own weights; None for a table of counts and
    along a path.
    """
    belief = result.belief or result.posterior
    return None if belief is None else float(result.of_y.own(belief.mean()[0]))


def _missed(result, name):
    """A filter's error in the state's own units; None where no filter is shown."""
    return result.course.quantity.size * result.error(name) if result.tracks else None


def _at_the_mean(result):
    """The density at the mean of y over the largest anywhere: small where no y is at the mean; None of nothing."""
    if result.lab.by_gram[1]:
        return None
    belief, highest = result.belief, result.density[result.row].max()
    if not highest > 0:
        return None
    point = belief.points[:1].copy()
    point[0, 0] = belief.mean()[0]
    return float(belief.density(point)[0] / highest)
