"""Base class of the learners on bags: the bags' kernel means, and a kernel of these."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.mean_estimators import checked_estimator
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.base import kernel_field
from explorer.learner import Learner
from explorer.learning.estimates import kernel_of
from explorer.parameters import Part
from explorer.printing import plural
from explorer.types import Gram, Vector, VectorLike

from .inner_products import Distances, inner_products
from .level_two import LevelTwo
from .means import Means, means_of
from .samples import BagsLike, checked_bags, chosen_kernel, count_of


class BagLearner(Learner):
    """Learner on bags by a Gram matrix between them, in the conventions of scikit-learn.

    The kernel's bandwidth and the scale of the second level are chosen on the bags of `fit` and do not change later, so
    the prediction for a bag does not depend on the other bags in the call.
    """

    _before = "has seen no bags yet; take fit(bags) first"
    kernel: Kernel | None = kernel_field()
    level_two: LevelTwo = Part(class_=LevelTwo, default=LevelTwo(), allow_None=False, doc="the kernel of kernel means")

    def _check(self):
        checked_estimator(self._estimates, self.kernel, "biased")

    @property
    def _estimates(self) -> Estimator | None:
        """The estimator of the bags' kernel means, which each learner declares last."""
        return self.values()["estimator"]

    def _learn_gram(self, bags: BagsLike, counts: Vector | None = None) -> Gram:
        """Learn the kernel and the kernel means of bags with these counts, and return their Gram matrix (l, l)."""
        kernel = kernel_of(self.kernel, self._estimates)
        found = checked_bags(bags, kernel)
        self.kernel_: Kernel = chosen_kernel(kernel, found, counts)
        self.n_features_in_: int = _columns(found[0])
        self.pooled_: Means = means_of(found, self.kernel_, self._estimates)
        if not self.level_two.of_distances:
            self.level_two_, self.distances_ = self.level_two, None
            return inner_products(self.pooled_)
        self.distances_: Distances | None = Distances(self.pooled_)
        squared = self.distances_.among()
        copies = np.arange(len(squared))
        if counts is not None and (counts == np.round(counts)).all() and counts.sum() <= LARGE:
            copies = np.repeat(copies, counts.astype(int))
        self.level_two_: LevelTwo = self.level_two.select(squared[np.ix_(copies, copies)])
        return self.level_two_.of_squared_distances(squared)

    def _gram_to(self, bags: BagsLike) -> Gram:
        """Return the Gram matrix (m, l) of other bags with those that were learnt from."""
        fitted = self._fitted()
        means = fitted._embedded(bags)
        if fitted.distances_ is None:
            return inner_products(means, fitted.pooled_)
        return fitted.level_two_.of_squared_distances(fitted.distances_.to(means))

    def _embedded(self, bags) -> Means:
        """Return the kernel means of other bags, checked to have the same width."""
        found, own = checked_bags(bags, self.kernel_), self.n_features_in_
        width = _columns(found[0])
        if width != own:
            raise Refusal(f"bags have {plural(width, 'column')}, and the bags of fit had {own}; give as many.")
        return means_of(found, self.kernel_, self._estimates)


def counted_bags(bags: Any, weights: VectorLike | None) -> tuple[Any, Any, Vector | None]:
    """Return the bags that count, their indices, and the number of times that each counts, (l,) or None.

    `weights` are those of all bags.
    """
    if weights is None:
        return bags, slice(None), None
    counts = checks.counts(weights, count_of(bags))
    kept = np.flatnonzero(counts)
    return [bags[i] for i in kept], kept, counts[kept]


def _columns(bag):
    """Return the number of columns of a bag."""
    if hasattr(bag, "blocks"):
        return bag.blocks[0].points.shape[1]
    return bag.d if hasattr(bag, "d") else bag.shape[1]


def checked_labels(y: Any, count: int) -> np.ndarray:
    """Return labels (l,), one for each of l bags, of at least two kinds; text, numbers or truth values as given.

    Raises
    ------
    TypeError
        If y is None, or the labels are of mixed or other types.
    Refusal
        If labels are missing, their number is not that of the bags, or there is only one.
    """
    if y is None:
        raise checks.WrongType("y is None; give one label for each bag.")
    labels = checks.as_array(y, "y")
    if labels.shape != (count,):
        raise Refusal(
            f"y has shape {labels.shape} and there are {plural(count, 'bag')}; give one label for each bag, ({count},)."
        )
    if labels.dtype.kind == "O":
        missing = [i for i, label in enumerate(labels) if label is None or label != label]
        if missing:
            many = "1 missing label," if len(missing) == 1 else f"{len(missing)} missing labels, the first"
            raise Refusal(f"y has {many} at index {missing[0]}; leave those bags out.")
        if len({isinstance(label, str) for label in labels}) > 1:
            raise checks.WrongType("y holds words and numbers; give labels of one kind.")
        labels = np.array(labels.tolist())
    if labels.dtype.kind == "f" and (checks.numbers(labels, "y") != np.round(labels)).any():
        raise Refusal("y holds numbers that are not whole, so no labels; DistributionRegression learns numbers.")
    if labels.dtype.kind not in "fiubUS":
        raise checks.WrongType(f"y holds {labels.dtype.name} values; give words or whole numbers as labels.")
    classes = np.unique(labels)
    if len(classes) < 2:
        raise Refusal(
            f"y holds one label alone, {checks.echo(classes[0].item())}; at least two are needed, or take OneClassSMM."
        )
    return labels


def checked_targets(y: Any, count: int) -> np.ndarray:
    """Return targets (l,) or (l, q) of finite numbers, one row for each of l bags.

    Raises
    ------
    TypeError
        If y is None.
    Refusal
        If y has another shape.
    """
    if y is None:
        raise checks.WrongType("y is None; give one number, or a row of numbers, for each bag.")
    targets = checks.numbers(y, "y")
    if targets.ndim not in (1, 2) or len(targets) != count or targets.size == 0:
        raise Refusal(
            f"y has shape {targets.shape} and there are {plural(count, 'bag')}; give a number for each bag,"
            f" ({count},), or a row"
            f" of numbers, ({count}, q)."
        )
    return targets
