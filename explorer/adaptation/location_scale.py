"""Location-scale shift: each class of a source stretched and moved, until the mixture matches a target sample."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.base import kernel_field
from explorer.learner import Transformer
from explorer.parameters import Flag
from explorer.printing import plural
from explorer.types import Labels, Matrix, Points, PointsLike, Vector, VectorLike

from .class_maps import ClassMatch
from .inputs import DomainLearner, check_classes, check_domains, format_label, overlap_remark, reweight_source


class LocationScaleShift(DomainLearner, Transformer):
    r"""Scale and shift of each class, x * W_c + B_c with W_c > 0, that bring a source nearest to a target.

    Use it if the target has no labels, and the columns of each class may be stretched and moved. If only the shares of
    the classes have changed, use `TargetShift`.

    p(x | y) changes from source to target by a scale and a shift in every column, and the target has no labels.

    Parameters
    ----------
    kernel_x : Gaussian or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on both samples together.
    reweight : bool, default False
        Whether the classes' proportions may change too, as in TargetShift: both shifts at once.

    Attributes
    ----------
    kernel_x_ : Gaussian
        The chosen kernel.
    X_, y_ : ndarray
        Points of the source, n of them, and their classes.
    X_target_ : ndarray of shape (m, d)
        Points of the target.
    classes_ : ndarray of shape (c,)
        The classes, sorted.
    scale_, shift_ : ndarray of shape (c, d)
        W and B, a row for each class, in that order.
    proportions_ : ndarray of shape (c,)
        The classes' shares of the target; with reweight=False those of the source.
    weights_ : ndarray of shape (n,)
        Weights of mean one by class; with reweight=False ones.
    distance_ : float
        Distance of the mapped source's kernel mean to the target's.
    remark_ : str
        The warning, or empty.

    Notes
    -----
    The maps minimise

    .. math:: J = \Bigl\| \frac1n \sum_i k(x_i * W_{c(i)} + B_{c(i)}, \cdot) - \mu_\mathrm{target} \Bigr\|^2

    by L-BFGS-B with exact gradients. It starts from the unchanged classes, from all of them moved by the samples'
    moments, and, if that does not match, from random points of the target, through wider bandwidths first. The printed
    identity of |μ_new - μ_target|² and |C_new μ_Y - μ_target|² holds only as the λ of the conditional embedding falls
    to 0 (erratum E-13); for classes the limit is the average over points, which is used here.

    The labels of a mixture are not always identified: two classes of equal size may change places. Of maps that are
    equally near, those that move the classes least are taken.

    References
    ----------
    Wikipedia, Kernel embedding of distributions, section on domain adaptation.

    Zhang et al. 2013 (Int. Conf. Mach. Learn., 819).

    Examples
    --------
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

    kernel_x: Kernel | None = kernel_field("the kernel of x, Gaussian; None is Gaussian()")
    reweight: bool = Flag(default=False, doc="whether the classes' proportions may change too")

    def _check(self):
        if self.kernel_x is not None and not isinstance(self.kernel_x, Gaussian):
            raise Refusal(
                f"LocationScaleShift moves points under a Gaussian kernel, not under {checks.echo(self.kernel_x)};"
                " take Gaussian()."
            )

    def fit(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from points with classes, and from a target sample without classes.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points of the source.
        y : array_like of shape (n,)
            Class of each point of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of X counts. Whole numbers act as repeated rows, and a row of weight 0 is left out.

        Returns
        -------
        LocationScaleShift
            The fitted object itself.

        Raises
        ------
        ValueError
            If a class has one point, or X and y do not have equally many rows.

        Warns
        -----
        ExplorerWarning
            If a column does not vary in a class, whose scale then is 1, or if the distance exceeds the norm of the
            target's kernel mean.
        """
        return self.learn(X, y, X_target, weights)._with_warnings()

    def learn(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn as `fit` does, from the same arguments, but leave the warning in `remark_`.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points of the source.
        y : array_like of shape (n,)
            Class of each point of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of X counts.

        Returns
        -------
        LocationScaleShift
            The fitted object itself.
        """
        names, data = names_of(X), check_domains(self.kernel_x, X, X_target, ("X", "X_target"), weights)
        n = data.n
        known = check_classes(y, data.rows, included=data.included, counts=data.counts)
        self._check_classes(known)
        kernel: Any = data.kernel  # a Gaussian
        theta = kernel.bandwidth
        search = ClassMatch(data.source, known.of_point, data.target, theta, self.reweight, data.counts)
        maps, _ = search.best()
        self.kernel_x_: Kernel = data.kernel
        self.X_ = data.source
        self.X_target_: Points = data.target
        self.classes_: Labels = checks.read_only(known.values[:, 0])
        self.y_: Labels = checks.read_only(self.classes_[known.of_point])
        self.scale_: Matrix = checks.read_only(maps.scale)
        self.shift_: Matrix = checks.read_only(maps.shift)
        shares = maps.shares if self.reweight else known.counts / n
        self.proportions_: Vector = checks.read_only(shares)
        self.weights_: Vector = checks.read_only((shares * n / known.counts)[known.of_point])
        mapped = data._replace(source=self._mapped(data.source, known.of_point))
        match = reweight_source(mapped, self.weights_)
        self.distance_: float = match.distance
        self.remark_ = overlap_remark(match, 1.0, "More than a scale and a shift of each class has changed.")
        if search.stiff.any() and not self.remark_:
            c, column = np.argwhere(search.stiff)[0]
            name = f"column {column + 1}" if names is None else f"the column {checks.echo(names[column])}"
            self.remark_: str = (
                f"{name} of X does not vary in the class {format_label(known.values[c, 0])}, so its scale is"
                " taken to be 1 there."
            )
        return self

    def _check_classes(self, known):
        if known.values.shape[1] != 1:
            raise Refusal(f"y has {plural(known.values.shape[1], 'column')}; give one class for each row of X.")
        few = np.flatnonzero(known.counts < 2)
        if len(few):
            raise Refusal(
                f"the class {format_label(known.values[few[0], 0])} has 1 point, which has no scale; give at least"
                " 2 points of every class, or leave that class out."
            )

    def transform(self, X: PointsLike, y: PointsLike) -> Points:
        """Return x * W_c + B_c for points with classes.

        Parameters
        ----------
        X : array_like of shape (m, d)
            Points.
        y : array_like of shape (m,)
            Class of each point.

        Returns
        -------
        ndarray
            Mapped points, in the shape of X.

        Raises
        ------
        ValueError
            If a class was not in the source.
        """
        fitted, flat = self._fitted(), checks.flat(X)
        X = fitted.kernel_x_.points(X)
        checks.same_dimension(X, fitted.X_, ("X", "the sample"))
        known = check_classes(y, len(X))
        at = [np.flatnonzero(fitted.classes_ == value) for value in known.values[:, 0]]
        unknown = [value for value, where in zip(known.values[:, 0], at, strict=True) if not len(where)]
        if unknown:
            raise Refusal(
                f"y holds the class {format_label(unknown[0])}, which the source does not have; its classes are"
                f" {checks.join_list(map(format_label, fitted.classes_))}."
            )
        mapped = fitted._mapped(X, np.concatenate(at)[known.of_point])
        return mapped[:, 0] if flat else mapped

    def _mapped(self, X, of_point):
        """Return points X (m, d) of the classes with these numbers, (m,), mapped as in `transform`."""
        return X * self.scale_[of_point] + self.shift_[of_point]

    def fit_transform(self, X: PointsLike, y: PointsLike, X_target: PointsLike) -> Points:
        """Learn from the samples and return the mapped points of the source.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points of the source.
        y : array_like of shape (n,)
            Class of each point of the source.
        X_target : array_like of shape (m, d)
            Points of the target.

        Returns
        -------
        ndarray
            Mapped points, in the shape of X.
        """
        return self.fit(X, y, X_target).transform(X, y)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns that `transform` gives: those of X, or x0, x1, ... if it has none.

        Parameters
        ----------
        input_features : array_like of shape (d,) or None, default None
            Names to use if X has none.

        Returns
        -------
        ndarray of shape (d,)
            Names of the columns.
        """
        fitted = self._fitted()
        fitted._refuse_other_features(input_features)
        names = [f"x{j}" for j in range(fitted.n_features_in_)] if input_features is None else input_features
        return np.array(getattr(fitted, "feature_names_in_", names), dtype=object)

    def _sentence(self):
        if not hasattr(self, "scale_"):
            return super()._sentence()
        c, near = len(self.classes_), f"{self.distance_:.3g} from the target's kernel mean"
        return f"A scale and a shift of each of {c} classes; mapped, the source is {near}."
