"""A sample seen through a kernel with noise on its points: what every estimate of the Marginalized lab starts from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from explorer.embeddings import Embedding, GaussianMixture
from explorer.estimators.marginalized.risk import marginalized_risks
from explorer.estimators.marginalized.search import best_sigma, best_variances
from explorer.estimators.marginalized.weights import Projection
from explorer.estimators.selection import least
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.kernels.noisy.gaussian import GaussianPairs
from explorer.model import frozen

from .marginalized_along import Along, Seen
from .marginalized_sources import DATA_FIELDS, LAW_FIELDS, the_law, the_sample, unit_of


def key_of(lab, fields):
    """A key of some fields."""
    return tuple(frozen(getattr(lab, field)) for field in fields)


class Noisy(NamedTuple):
    """X (n, d) with its coordinates' names, of a law or, where that is None, a table; σ counts in `unit`.

    The pairs of points.

    remark is not empty where the bandwidth is not the plain median's; `cached(key, make)` keeps what was made of all
    this.
    """

    law: GaussianMixture | None
    X: np.ndarray
    names: tuple[str, ...]
    unit: float
    kernel: Gaussian
    remark: str
    pairs: GaussianPairs
    cached: Callable

    @classmethod
    def of(cls, lab, table, cache):
        """Of a lab's state; each step is cached under the fields it depends on."""
        data = key_of(lab, DATA_FIELDS)
        law = cache.get(("law", key_of(lab, LAW_FIELDS)), lambda: the_law(lab))
        X, names = cache.get(("sample", data), lambda: the_sample(lab, table))
        median, remark = cache.get(("median", data), lambda: median_and_remark(X))
        kernel = Gaussian(lab.bandwidth * median)

        def cached(key, make):
            return cache.get((key, kernel.key, data), make)

        pairs = cached("pairs", lambda: kernel.noisy_pairs(X))
        return cls(law, X, names, unit_of(law, X), kernel, remark, pairs, cached)

    @property
    def truth(self):
        """The law's kernel mean, or None."""
        return None if self.law is None else self.cached("truth", lambda: self.law.embed(self.kernel))

    @property
    def nothing(self):
        """The Drops without noise."""
        return self.pairs.isotropic(np.zeros(1))

    @property
    def empirical(self):
        """|μ̂ - μ|², or None where no law is known."""
        found = self.cached("empirical", lambda: self.losses(np.zeros(1), np.ones(self.pairs.d), self.nothing))
        return None if found is None else float(found[0])

    @property
    def estimated(self):
        """What leave-one-out says of it, (1 - u) / n."""
        return float(self.nothing.L[0] / self.pairs.n)

    @property
    def projection(self):
        """The Projection on the span of the k(x_i, .)."""
        return self.cached("projection", lambda: Projection(self.kernel, self.X))

    def embed(self, deviations):
        """The estimate with this noise, an Embedding."""
        return Embedding(self.kernel, self.X, np.full(self.pairs.n, 1 / self.pairs.n), deviations**2)

    def losses(self, s, shape, drops):
        """|μ̃ - μ|² for noise N(0, s² T²), T = diag(shape), at s (m,) and its drops; None where no law is known."""
        if self.law is None:
            return None
        square = self.cached("square", lambda: self.truth.inner(self.truth))
        seen = self.cached(("seen", shape.tobytes()), lambda: Seen(self.truth, shape))
        return self.pairs.square(drops) - 2 * seen.means(self.X, s) + square

    def mkme(self, sigmas):
        """MKME at the slider's σ, and last at the one that leave-one-out chooses."""
        one, chosen = np.ones(self.pairs.d), self._sigma()
        return self._along(sigmas, chosen, one, lambda s: self.pairs.isotropic(s**2))

    def mmkme(self, sigmas, given):
        """MMKME: σ times a shape in each coordinate.

        `given` are the shape's first, second and all other entries, or None.
        """
        shape, chosen = self.cached(("shape", given), lambda: self._shape(given))
        return self._along(sigmas, chosen, shape, lambda s: self.pairs.drops(np.outer(s, shape) ** 2))

    def risk(self, sigmas):
        """MKME's exact risk at each σ, relative to KME's; None where no law is known."""
        if self.law is None:
            return None
        risk = marginalized_risks(self.law, self.kernel, self.pairs.n, np.append(sigmas * self.unit, 0.0))
        return risk[:-1] / risk[-1]

    def _along(self, sigmas, chosen, shape, drops_at):
        """The Along of the slider's σ, in data sd, and of the chosen one, in units of x."""
        s = np.append(np.asarray(sigmas) * self.unit, chosen)
        drops = drops_at(s)
        unit = (
            self.estimated * self.pairs.n / (self.pairs.n - 1)
        )  # of KME on n - 1 points, which is what scores are about
        scores = self.pairs.score(drops) - self.pairs.score(self.nothing)
        loss = self.losses(s, shape, drops)
        if loss is not None:
            loss = loss / self.empirical
        sigmas = np.append(sigmas, chosen / self.unit)  # not s / unit, which misses the slider's own by rounding
        return Along(sigmas, np.outer(s, shape), loss, 1 + scores / unit if unit > 0 else np.ones(len(s)))

    def _sigma(self):
        return self.cached("sigma", lambda: best_sigma(self.pairs))

    def _shape(self, given):
        """MMKME's shape (d,), of mean square 1 where leave-one-out chooses all of it, and the s of least score along
        it.
        """
        pairs = self.pairs
        found = self.cached("variances", lambda: best_variances(pairs, self._sigma() ** 2))
        scale = math.sqrt(found.mean())
        shape = np.sqrt(found) / scale if scale > 0 else np.ones(pairs.d)
        held = [
            (place, value)
            for place, value in zip((slice(0, 1), slice(1, 2), slice(2, None)), given, strict=True)
            if value is not None and len(shape[place])
        ]
        if not held:
            return shape, scale
        for place, value in held:
            shape[place] = value
        if pairs.spread == 0 or not shape.any():
            return shape, 0.0
        low, high = 1e-4 * min(self.kernel.bandwidth, pairs.spread) / shape.max(), 1e1 * pairs.spread / shape.max()
        return shape, least(lambda s: pairs.score(pairs.drops(np.outer(s, shape) ** 2)), low, high, ends=(0.0,))
