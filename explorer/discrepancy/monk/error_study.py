"""Errors of estimates over repeated samples: with an increasing number of outliers, and in their upper quantiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.discrepancy.mmd.embedding_differences import signed_root
from explorer.discrepancy.mmd.two_samples import mmd2
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.record import record
from explorer.tables import html_tables
from explorer.types import Points, Vector

from .block_path import BlockPath
from .paired_sample import pair_differences

if TYPE_CHECKING:
    from explorer.embeddings import Embedding
    from explorer.kernels.base import Kernel


@printed
@record
class ErrorStudy:
    """Errors of estimates over repeated samples, in units of the root of k.

    Attributes
    ----------
    errors : dict of str to ndarray of shape (samples,) or (samples, counts)
        Errors of each estimator by name, read-only.
    counts : tuple of int
        Numbers of outliers along the second axis; empty if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.monk import ErrorStudy
    >>> study = ErrorStudy({"KME": np.array([0.2, 0.4, 0.6]), "MONK": np.array([0.1, 0.2, 0.3])})
    >>> study.count, float(study.quantile("KME", 0.5)), float(study.quantile("MONK", 0.5))
    (3, 0.4, 0.2)
    """

    errors: dict[str | int, np.ndarray]
    counts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "errors", {name: checks.read_only(values) for name, values in self.errors.items()})

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(next(iter(self.errors.values())))

    def quantile(self, name: int | str, share: float) -> Vector:
        """Return the quantile of an estimator's errors over samples.

        Parameters
        ----------
        name : int or str
            Name of the estimator.
        share : float
            Level of the quantile, from 0 to 1.

        Returns
        -------
        float or ndarray of shape (counts,)
            The quantile, for each count if there are counts.
        """
        return np.quantile(self.errors[name], share, axis=0)

    def _sentence(self):
        return f"Errors of {len(self.errors)} estimators in {self.count} samples."

    def _picture(self):
        rows = [(str(name), *(f"{np.median(self.quantile(name, q)):.4g}" for q in (0.5, 0.95))) for name in self.errors]
        return html_tables.table(("estimator", "median error", "95 % quantile"), rows)


@limit_threads
def errors_beside_outliers(
    draws: Iterable[Any],
    contaminate: Callable[..., Any],
    truth: float | None,
    kernel: Kernel,
    counts: Sequence[int],
    blocks: Sequence[int],
    partition: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> ErrorStudy | None:
    """Compute ``|estimate - MMD|`` of the U-statistic and of MONK's best direction as the number of outliers increases.

    Parameters
    ----------
    draws : iterable of (ndarray, ndarray)
        Clean samples (X, Y) of n rows each.
    contaminate : callable
        Function of X, Y and a count that returns both with this number of outliers.
    truth : float or None
        MMD of the clean distributions. None measures how far each estimate moves from its own value at the first count.
    kernel : Kernel
        Kernel, chosen.
    counts : sequence of int
        Numbers of outliers.
    blocks : sequence of int
        Numbers of blocks. Their estimates are named by them, and that of the U-statistic is "U".
    partition : int or None, default None
        Seed of the partitions into blocks.
    stopped : callable, optional
        Asked before each count of each sample; the function returns None once it is true.

    Returns
    -------
    ErrorStudy or None
        The errors, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear
    >>> from explorer.discrepancy.monk import errors_beside_outliers
    >>> rng = np.random.default_rng(0)
    >>> draws = [(rng.normal(size=(60, 1)), rng.normal(size=(60, 1))) for _ in range(5)]
    >>> def contaminate(X, Y, count):
    ...     moved = X.copy()
    ...     moved[:count] = 50.0
    ...     return moved, Y
    >>> study = errors_beside_outliers(draws, contaminate, 0.0, Linear(), [0, 6], blocks=[15], partition=0)
    >>> {name: errors.mean(axis=0).round(2).tolist() for name, errors in study.errors.items()}
    {'U': [0.15, 4.59], 15: [0.12, 0.51]}
    """
    errors = {"U": [], **{Q: [] for Q in blocks}}
    for clean in draws:
        rows = {name: [] for name in errors}
        for count in counts:
            if stopped():
                return None
            X, Y = contaminate(*clean, count)
            path = BlockPath.of_differences(pair_differences(kernel, X, Y), kernel, partition, blocks)
            rows["U"].append(signed_root(mmd2(X, Y, kernel)))
            for Q in blocks:
                rows[Q].append(path.value(Q))
        for name, values in rows.items():
            errors[name].append(np.abs(np.array(values) - (values[0] if truth is None else truth)))
    return ErrorStudy({name: np.array(values) for name, values in errors.items()}, tuple(counts))


@limit_threads
def errors_of_means(
    samples: Iterable[Points],
    truth: Embedding,
    embeds: Mapping[Any, Callable[[Points], Embedding]],
    stopped: Callable[[], bool] = lambda: False,
) -> ErrorStudy | None:
    """Compute ``|μ̂ - μ|`` of estimates of a kernel mean in each of several samples.

    Parameters
    ----------
    samples : iterable of ndarray of shape (n, d)
        The samples.
    truth : Embedding
        The kernel mean μ.
    embeds : mapping from str to callable
        Functions from a sample to its Embedding, by name.
    stopped : callable, optional
        Asked before each estimate; the function returns None once it is true.

    Returns
    -------
    ErrorStudy or None
        The errors, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import FKMSE, KME, Gaussian, GaussianMixture
    >>> from explorer.discrepancy.monk import errors_of_means
    >>> rng = np.random.default_rng(0)
    >>> samples = [rng.normal(size=(10, 2)) for _ in range(10)]
    >>> truth = GaussianMixture([1.0], [[0.0, 0.0]], [np.eye(2)]).embed(Gaussian(1.0))
    >>> embeds = {"KME": KME(Gaussian(1.0)).embed, "F-KMSE": FKMSE(Gaussian(1.0)).embed}
    >>> study = errors_of_means(samples, truth, embeds)
    >>> {name: round(float(study.quantile(name, 0.5)), 3) for name in study.errors}
    {'KME': 0.229, 'F-KMSE': 0.221}
    """
    errors = {name: [] for name in embeds}
    for X in samples:
        for name, embed in embeds.items():
            if stopped():
                return None
            errors[name].append(embed(X).distance(truth))
    return ErrorStudy({name: np.array(values) for name, values in errors.items()})
