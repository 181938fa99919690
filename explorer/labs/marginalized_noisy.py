"""A sample seen through a kernel with noise on its points: what every estimate of the Marginalized lab starts from."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from explorer.embeddings import GaussianMixture
from explorer.estimators.marginalized.along import NoisySample
from explorer.kernels import Gaussian, median_and_remark
from explorer.model import frozen

from .marginalized_sources import DATA_FIELDS, LAW_FIELDS, the_law, the_sample, unit_of


def key_of(lab, fields):
    """A key of some fields."""
    return tuple(frozen(getattr(lab, field)) for field in fields)


class Noisy(NamedTuple):
    """X (n, d) with its coordinates' names, of a law or, where that is None, a table; σ counts in `unit`.

    remark is not empty where the bandwidth is not the plain median's; `cached(key, make)` keeps what was made of all
    this, the NoisySample included.
    """

    law: GaussianMixture | None
    X: np.ndarray
    names: tuple[str, ...]
    unit: float
    kernel: Gaussian
    remark: str
    sample: NoisySample
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

        sample = cached("noisy", lambda: NoisySample(kernel, X, law))
        return cls(law, X, names, unit_of(law, X), kernel, remark, sample, cached)

    @property
    def empirical(self):
        """|μ̂ - μ|², or None where no law is known."""
        return self.sample.empirical

    def mkme(self, sigmas):
        """MKME at the slider's σ, and last at the one that leave-one-out chooses."""
        return self.sample.mkme(sigmas, self.unit)

    def mmkme(self, sigmas, given):
        """MMKME: σ times a shape in each coordinate.

        `given` are the shape's first, second and all other entries, or None.
        """
        first, second, others = (np.nan if value is None else value for value in given)
        shape = np.array([first, second, *[others] * (self.sample.pairs.d - 2)])[: self.sample.pairs.d]
        return self.sample.mmkme(sigmas, self.unit, shape)

    def risk(self, sigmas):
        """MKME's exact risk at each σ, relative to KME's; None where no law is known."""
        return self.sample.risk(sigmas * self.unit)
