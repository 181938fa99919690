"""Checks of an estimator: what tests, kernel PCA, sweeps and labs rely on, on small samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian
from explorer.kernels.check import CLOSE, CheckReport, CheckRow, model_rows
from explorer.printing import echo
from explorer.public_names.synonyms import explain_wrong_calls

from .base import Estimator

SHAPES = ((2, 1), (7, 1), (12, 2), (30, 5))  # rows and columns of the samples


@explain_wrong_calls
def check_estimator(estimator: Estimator) -> CheckReport:
    """Check what tests, kernel PCA, sweeps and labs rely on in an estimator, on small samples.

    Use it in the tests of an estimator of your own. It says nothing about the size of the estimator's errors; `risk`
    and `sweep` do.

    Parameters
    ----------
    estimator : Estimator
        The estimator. Its kernel has to take points of numbers.

    Returns
    -------
    CheckReport
        A row for each property: `embed` returns an Embedding with finite weights, of one row too, under the given
        kernel, and the same one each time; the sample stays unchanged; the parameter that is `free` is chosen; `loocv`
        scores it; and what every model has (copies, pickle, equality, a repr that evaluates). `raise_for_failures()` is
        for tests.

    Raises
    ------
    TypeError
        If it is not an estimator.

    Examples
    --------
    >>> from explorer import FKMSE, check_estimator
    >>> report = check_estimator(FKMSE())
    >>> report.passed
    True
    >>> [row.property for row in report.rows][:3]
    ['embed', 'one row', 'kernel']
    """
    if not isinstance(estimator, Estimator):
        raise WrongType(f"estimator must be an estimator of a kernel mean, not {echo(estimator)}.")
    rng = np.random.default_rng(0)
    samples = [rng.normal(size=shape) for shape in SHAPES]
    rows = [_first_failure(each, estimator, samples) for each in NAMES]
    return CheckReport(repr(estimator), (*rows, *model_rows(estimator)))


def _first_failure(check, estimator, samples):
    """Return the first failure of a check over the samples, otherwise its last row."""
    name, held, advice = NAMES[check]
    passed, unheld = None, "the estimator has none"
    for X in samples:
        try:
            found = check(estimator, X.copy())
        except Refusal as refusal:  # an estimator may refuse a sample, as one of 11 blocks refuses fewer rows
            unheld = str(refusal)
            continue
        except Exception as error:  # the user's code may raise anything
            reason = str(error) or f"{check.__name__.strip('_')} is not written"
            return CheckRow(name, False, f"{type(error).__name__}: {reason}", advice)
        if found:
            return CheckRow(name, False, found, advice)
        passed = passed or (found is not None or None)
    if not passed and check is _embed:  # it takes no sample at all
        return CheckRow(name, False, unheld, advice)
    return CheckRow(name, passed, held if passed else unheld, advice)


def _embed(estimator, X):
    embedding = estimator.embed(X)
    if not isinstance(embedding, Embedding):
        return f"embed returns {echo(embedding)}"
    if not np.isfinite(embedding.weights).all():
        return f"{int((~np.isfinite(embedding.weights)).sum())} of {len(embedding.weights)} weights are not finite"
    if embedding.points.shape[1] != X.shape[1]:
        return f"its points have {embedding.points.shape[1]} columns, and the sample {X.shape[1]}"
    return "" if np.isfinite(embedding.norm()) else "its norm is not finite"


def _one_row(estimator, X):
    estimator = estimator.select(X)
    made = estimator.replace(kernel=estimator.kernel or Gaussian(1.0))
    return "" if np.isfinite(made.embed(X[:1]).weights).all() else "weights of one row are not finite"


def _kernel(estimator, X):
    made = estimator.replace(kernel=Gaussian(0.7)) if estimator.kernel is None else estimator
    embedding, expected = made.embed(X), made.kernel.select(X)
    if embedding.kernel == expected:
        return ""
    return f"it embeds under {embedding.kernel!r}, and was given {made.kernel!r}"


def _same(estimator, X):
    one, other = estimator.embed(X), estimator.embed(X)
    if one.points.shape != other.points.shape:
        return "the second embedding has other points"
    gap = np.abs(one.weights - other.weights).max()
    return "" if gap <= CLOSE * np.abs(one.weights).max() else f"weights of two calls differ by {gap:.3g}"


def _unchanged(estimator, X):
    copy, before = X.copy(), estimator.key
    estimator.embed(copy)
    if not np.array_equal(copy, X):
        return f"embed changed {int((copy != X).sum())} numbers of the sample"
    return "" if estimator.key == before else "embed changed a parameter"


def _select(estimator, X):
    if estimator.free is None:
        return None
    chosen = estimator.replace(**{estimator.free: None}).select(X)
    return "" if getattr(chosen, estimator.free) is not None else f"select leaves {estimator.free} at None"


def _loocv(estimator, X):
    if estimator.free is None:
        return None
    value = getattr(estimator.select(X), estimator.free)
    scores = np.asarray(estimator.loocv(X, [value, value]))
    fits = scores.shape == (2,) and np.isfinite(scores).all()
    return "" if fits else f"loocv of two values returns {echo(scores)}"


# what is checked: its name, what holds, and what to do if it does not
NAMES: dict[Callable[..., str | None], tuple[str, str, str]] = {
    _embed: ("embed", "an Embedding with finite weights", "Let embed return Embedding(kernel, points, weights)."),
    _one_row: ("one row", "finite weights", "Once its parameters are given, embed takes a sample of one row."),
    _kernel: ("kernel", "embeds under the given kernel", "Let embed take kernel, X from self._kernel(X)."),
    _same: ("the same each time", "two calls agree", "Take a seed as a parameter, or draw nothing."),
    _unchanged: ("leaves the sample unchanged", "nothing changes", "Work on a copy of X."),
    _select: ("select", "chooses the free parameter", "Let select return self.replace(...) with the parameter chosen."),
    _loocv: ("loocv", "a finite score for each value", "Let loocv(X, values) return an array with a score for each."),
}
