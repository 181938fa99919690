"""Location-scale shift: each class of a source stretched and moved, until the mixture matches a target sample."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel
from explorer.learner import Transformer
from explorer.parameters import Flag, Part
from explorer.types import Labels, Matrix, Points, PointsLike, Vector, VectorLike

from .class_maps import ClassMatch
from .inputs import Adapted, called, classes, domains, no_overlap, reweighted


class LocationScaleShift(Adapted, Transformer):
    """Maps x * W_c + B_c of each class c, W_c > 0, under which the source's kernel mean is nearest to the target's.

    p(x | y) changes from source to target by a scale and a shift in every column, and the target has no labels. J =
    |(1/n) Σ_i k(x_i * W_c(i) + B_c(i), .) - μ_target|² is made least by L-BFGS-B with exact gradients, from the
    classes as they are, from all of them moved by the samples' moments, and where that does not match from points of
    the target at random, through wider bandwidths first. Article 003, section on domain adaptation; Zhang et al. 2013
    (Int. Conf. Mach. Learn., 819). The printed identity of |μ_new - μ_target|² and |C_new μ_Y - μ_target|² holds as the
    λ of the conditional embedding falls to 0 alone (erratum E-13); for classes the limit is the average over points,
    and that is what is taken here.

    The labels of a mixture are not always identified: two classes of equal size may change places. Of maps that are
    equally near those that move the classes least are taken.

    kernel_x  Gaussian; None is Gaussian(), an automatic bandwidth the median heuristic on both samples together
    reweight  whether the classes' proportions may change too, as in TargetShift: both shifts at once

    `fit` learns, n the number of points, c that of the classes:
    kernel_x_, X_, y_, X_target_   the chosen kernel and the points
    classes_ (c,)                  the labels, sorted
    scale_, shift_ (c, d)          W and B, a row for each class, in that order
    proportions_ (c,), weights_ (n,)  the classes' shares of the target, and weights of mean one by class; with
                                   reweight=False the source's, and ones
    distance_                      of the mapped source's kernel mean to the target's

    >>> import numpy as np
    >>> from explorer import LocationScaleShift
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 100)
    >>> x = np.where(y == 0, -2.0, 2.0) + rng.normal(size=200)
    >>> target = np.where(y == 0, 1.5 * x - 1.0, 0.6 * x + 1.0)
    >>> shift = LocationScaleShift().fit(x, y, target)
    >>> shift.scale_.ravel().round(3), shift.shift_.ravel().round(3)
    (array([1.5, 0.6]), array([-1.,  1.]))
    """

    kernel_x: Kernel | None = Part(
        class_=Kernel, default=None, allow_None=True, doc="the kernel of x, Gaussian; None is Gaussian()"
    )
    reweight: bool = Flag(default=False, doc="whether the classes' proportions may change too")

    def _check(self):
        if self.kernel_x is not None and not isinstance(self.kernel_x, Gaussian):
            raise Refusal(
                f"LocationScaleShift moves points under a Gaussian kernel, not under {checks.echo(self.kernel_x)};"
                " take Gaussian()."
            )

    def fit(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from points X (n, d) with classes y (n,), and X_target (m, d) without; returns self.

        weights  (n,), how often each row of X counts: whole numbers as repeated rows, and one of weight 0 is left out

        Our warning where a column does not vary in a class, whose scale then is 1, and where the distance exceeds
        the norm of the target's kernel mean. ValueError for a class of one point, and where X and y are not equally
        many.
        """
        return self.learn(X, y, X_target, weights)._warned()

    def learn(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """`fit`, of the same arguments, without its warning: that is `remark_`, else empty."""
        names, found = names_of(X), domains(self.kernel_x, X, X_target, ("X", "X_target"), weights)
        n = found.n
        known = classes(y, found.rows, kept=found.kept, counts=found.counts)
        self._check_classes(known)
        kernel: Any = found.kernel  # a Gaussian
        theta = kernel.bandwidth
        search = ClassMatch(found.source, known.of_point, found.target, theta, self.reweight, found.counts)
        maps, _ = search.best()
        self.kernel_x_: Kernel = found.kernel
        self.X_ = found.source
        self.X_target_: Points = found.target
        self.classes_: Labels = checks.read_only(known.values[:, 0])
        self.y_: Labels = checks.read_only(self.classes_[known.of_point])
        self.scale_: Matrix = checks.read_only(maps.scale)
        self.shift_: Matrix = checks.read_only(maps.shift)
        shares = maps.shares if self.reweight else known.counts / n
        self.proportions_: Vector = checks.read_only(shares)
        self.weights_: Vector = checks.read_only((shares * n / known.counts)[known.of_point])
        mapped = found._replace(source=self._mapped(found.source, known.of_point))
        match = reweighted(mapped, self.weights_)
        self.distance_: float = match.distance
        self.remark_ = no_overlap(match, 1.0, "More than a scale and a shift of each class has changed.")
        if search.stiff.any() and not self.remark_:
            c, column = np.argwhere(search.stiff)[0]
            name = f"column {column + 1}" if names is None else f"the column {checks.echo(names[column])}"
            self.remark_: str = (
                f"{name} of X does not vary in the class {called(known.values[c, 0])}, so its scale is"
                " taken to be 1 there."
            )
        return self

    def _check_classes(self, known):
        if known.values.shape[1] != 1:
            raise Refusal(f"y has {known.values.shape[1]} columns; give one class for each row of X.")
        few = np.flatnonzero(known.counts < 2)
        if len(few):
            raise Refusal(
                f"the class {called(known.values[few[0], 0])} has 1 point, which has no scale; give at least 2 points"
                " of every class, or leave that class out."
            )

    def transform(self, X: PointsLike, y: PointsLike) -> Points:
        """x * W_c + B_c of points X (m, d) with classes y (m,), in the shape of X; ValueError for a class not known."""
        fitted, flat = self._fitted(), checks.flat(X)
        X = fitted.kernel_x_.points(X)
        checks.same_dimension(X, fitted.X_, ("X", "the sample"))
        known = classes(y, len(X))
        at = [np.flatnonzero(fitted.classes_ == value) for value in known.values[:, 0]]
        unknown = [value for value, where in zip(known.values[:, 0], at, strict=True) if not len(where)]
        if unknown:
            raise Refusal(
                f"y holds the class {called(unknown[0])}, of which the fit has seen no point; it knows"
                f" {checks.join_list(map(called, fitted.classes_))}."
            )
        mapped = fitted._mapped(X, np.concatenate(at)[known.of_point])
        return mapped[:, 0] if flat else mapped

    def _mapped(self, X, of_point):
        """Points X (m, d) of the classes with these numbers, (m,), as `transform` has them."""
        return X * self.scale_[of_point] + self.shift_[of_point]

    def fit_transform(self, X: PointsLike, y: PointsLike, X_target: PointsLike) -> Points:
        """The mapped points that it learns from, in the shape of X."""
        return self.fit(X, y, X_target).transform(X, y)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns that `transform` gives, (d,): those of X, or x0, x1, ... where it has none."""
        fitted = self._fitted()
        fitted._refuse_other_features(input_features)
        names = [f"x{j}" for j in range(fitted.n_features_in_)] if input_features is None else input_features
        return np.array(getattr(fitted, "feature_names_in_", names), dtype=object)

    def _sentence(self):
        if not hasattr(self, "scale_"):
            return super()._sentence()
        c, near = len(self.classes_), f"{self.distance_:.3g} from the target's kernel mean"
        return f"A scale and a shift of each of {c} classes; mapped, the source is {near}."
