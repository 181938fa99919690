"""A sample seen through a kernel, with the law behind it where one is known.

What every estimate of a lab starts from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from explorer.estimators import Spectrum, Summary
from explorer.estimators.paths import Truth
from explorer.kernels import FOUR, Gaussian, Kernel, median_and_remark
from explorer.model import frozen

from .sources import DATA_FIELDS, LAW_FIELDS, the_law, the_sample, the_table


class Scene(NamedTuple):
    """X (n, d) with its coordinates' names from a source, a law or a table; truth is None for a table.

    remark is not empty where the bandwidth is not the plain median's; scale = mean k(x, x), 1 where that is 0;
    `gram()` is the Gram matrix anew, `cached(key, make)` keeps what was made of this scene.
    """

    source: object
    X: np.ndarray
    names: tuple[str, ...]
    kernel: Kernel
    remark: str
    spectrum: Spectrum
    truth: Truth | None
    summary: Summary
    gram: Callable
    cached: Callable

    @property
    def scale(self):
        """The mean of k(x, x), in whose units λ counts; 1 where it is 0."""
        return self.summary.diagonal if self.summary.diagonal > 0 else 1.0

    @property
    def law(self):
        """The law behind the sample, or None."""
        return None if self.truth is None else self.source

    @classmethod
    def of(cls, lab, table, cache):
        """Of a lab's state; each step is cached under the fields it depends on."""
        data = tuple(frozen(getattr(lab, field)) for field in DATA_FIELDS)
        law = cache.get(("law", *(getattr(lab, field) for field in LAW_FIELDS)), lambda: the_law(lab))
        source = law or the_table(lab, table)
        X, names = cache.get(("sample", data), lambda: the_sample(lab, source))
        kernel, remark = FOUR[lab.kernel], ""
        pairs = cache.get(("pairs", type(kernel).pairs, data), lambda: kernel.pairs(X))
        if lab.kernel == "RBF":
            median, remark = cache.get(("median", data), lambda: median_and_remark(X))
            kernel = Gaussian(lab.bandwidth * median)

        def cached(key, make):
            return cache.get((key, kernel.key, data), make)

        spectrum = cached("spectrum", lambda: Spectrum(kernel.of_pairs(pairs)))
        truth = None if law is None else cached("truth", lambda: Truth.of(law, kernel, X))
        return cls(
            source,
            X,
            names,
            kernel,
            remark,
            spectrum,
            truth,
            Summary.of_spectrum(spectrum),
            lambda: kernel.of_pairs(pairs),
            cached,
        )
