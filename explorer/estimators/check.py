"""Checks of an estimator: what tests, kernel PCA, sweeps and labs rely on, on small samples."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from weakref import WeakSet

import numpy as np

from explorer.checks import Refusal, WrongType, is_users, warn
from explorer.embeddings import Embedding
from explorer.kernels import Gaussian
from explorer.kernels.check import CheckReport, CheckRow, model_rows
from explorer.parameters import Seed
from explorer.printing import echo
from explorer.public_names.synonyms import explain_wrong_calls

from .base import Estimator

SHAPES = ((2, 1), (7, 1), (12, 2), (30, 5))  # rows and columns of the samples
NEAR = 1e-5  # tolerated difference of two estimates that are equal but for rounding and the search for a parameter
FACTOR = 8.0  # by which a sample and the bandwidth are multiplied; a power of 2 rounds nothing
FEW = (6, 2)  # rows and columns of the sample of `first_failure`
_tried: WeakSet[type] = WeakSet()  # classes of which the user has been warned, or that have passed


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
        kernel, and the same one each time; the sample stays unchanged; the order of its rows and its units do not
        matter; equal rows weigh the same; the parameter that is `free` is chosen; `loocv` scores it; and what every
        model has (copies, pickle, equality, a repr that evaluates). `raise_for_failures()` is for tests.

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
    return CheckReport(repr(estimator), (*_rows(estimator, samples, NAMES), *model_rows(estimator)))


def _rows(estimator, samples, checks):
    """Yield the row of each check; if `embed` fails, the others are not tried."""
    embeds = _first_failure(_embed, estimator, samples)
    yield embeds
    for each in checks:
        if each is not _embed and embeds.passed is False:
            yield CheckRow(NAMES[each][0], None, "embed fails", NAMES[each][2])
        elif each is not _embed:
            yield _first_failure(each, estimator, samples)


def first_failure(estimator: Estimator) -> CheckRow | None:
    """Return the first property of `embed` that fails on six points.

    Parameters
    ----------
    estimator : Estimator
        The estimator.

    Returns
    -------
    CheckRow or None
        The property; None if all hold, or if the estimator refuses the points.
    """
    X = np.random.default_rng(0).normal(size=FEW)
    try:
        chosen = estimator.replace(kernel=estimator.kernel or Gaussian(0.7)).select(X)
        chosen.embed(X)
    except Refusal:  # as one with a parameter for each of three columns does
        return None
    except Exception:  # what the estimator raises is reported by `embed`
        chosen = estimator
    with np.errstate(all="ignore"):  # the estimator's own use shows these warnings
        return next((row for row in _rows(chosen, [X], PROBED) if row.passed is False), None)


def warn_if_faulty(estimator: object) -> None:
    """Warn, once for each class, if an estimator of the user's fails a check on six points.

    Parameters
    ----------
    estimator : object
        The estimator; nothing happens if it is something else.

    Warns
    -----
    ExplorerWarning
        If a property fails.
    """
    kind = type(estimator)
    if not isinstance(estimator, Estimator) or not is_users(kind) or kind in _tried:
        return
    row = first_failure(estimator)
    _tried.add(kind)
    if row is not None:
        warn(f"{echo(estimator)} fails a check: {describe_failure(row)}")


def describe_failure(row: CheckRow) -> str:
    """Return a sentence on a property that fails, with the function that shows more.

    Parameters
    ----------
    row : CheckRow
        The property.

    Returns
    -------
    str
        The sentence.
    """
    return f"{row.property} ({row.found}). {row.advice} explorer.check_estimator shows more."


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
    gap = _gap(one, other)
    return "" if gap <= NEAR else f"two calls have different estimates, at distance {gap:.3g}"


def _unchanged(estimator, X):
    copy, before = X.copy(), estimator.key
    estimator.embed(copy)
    if not np.array_equal(copy, X):
        return f"embed changed {int((copy != X).sum())} numbers of the sample"
    return "" if estimator.key == before else "embed changed a parameter"


def _is_drawn(estimator):
    """Return whether a seed, of the estimator or of its `embed`, decides by the positions of rows."""
    seeded = any(isinstance(field, Seed) for field in type(estimator).fields.values())
    return seeded or "rng" in inspect.signature(estimator.embed).parameters


def _gap(one, other):
    """Return the distance of two embeddings relative to the norm of the first, or to 1 if that is less."""
    return one.distance(other) / max(one.norm(), 1.0)


def _order(estimator, X):
    if _is_drawn(estimator):
        return None
    axes = np.eye(X.shape[1])
    tied = np.concatenate([axes, -axes]), np.concatenate([X, X])  # rows that are equally far out, and equal rows
    gap = max(_gap(estimator.embed(rows), estimator.embed(rows[::-1])) for rows in (X, *tied))
    return "" if gap <= NEAR else f"the rows backwards have another estimate, at distance {gap:.3g}"


def _equal_rows(estimator, X):
    if _is_drawn(estimator):
        return None
    estimator, twice = estimator.replace(kernel=estimator.kernel or Gaussian(1.0)), np.repeat(X, 2, axis=0)
    estimator.embed(X)  # a sample that is refused anyway
    for rows in (twice, np.ones_like(X)):
        try:
            embedding = estimator.embed(rows)
        except Refusal as refusal:
            return str(refusal)
        if not np.isfinite(embedding.weights).all():
            return f"{int((~np.isfinite(embedding.weights)).sum())} of {len(embedding.weights)} weights are not finite"
    embedding = estimator.embed(twice)
    if not np.array_equal(embedding.points, twice):
        return ""
    first, second = embedding.weights.reshape(-1, 2).T
    gap = np.abs(first - second).max()
    return "" if gap <= NEAR * np.abs(first).max() else f"weights of two equal rows differ by {gap:.3g}"


def _units(estimator, X):
    if any("units of x" in getattr(field, "unit", "") for field in type(estimator).fields.values()):
        return None  # a parameter in units of the points has to be multiplied with them
    one = estimator.replace(kernel=Gaussian(1.0)).embed(X)
    other = estimator.replace(kernel=Gaussian(FACTOR)).embed(FACTOR * X)
    if one.points.shape != other.points.shape:
        return f"{FACTOR:g} X under a bandwidth {FACTOR:g} times as large has another number of points"
    gap = np.abs(one.weights - other.weights).max()
    fits = gap <= NEAR * np.abs(one.weights).max()
    return "" if fits else f"weights of {FACTOR:g} X, under a bandwidth {FACTOR:g} times as large, differ by {gap:.3g}"


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
    _order: (
        "order of the rows",
        "the rows backwards have the same estimate",
        "Let weights depend on values, not on positions: decide ties alike, or draw rows by a parameter Seed.",
    ),
    _equal_rows: (
        "equal rows",
        "finite weights, equal for equal rows",
        "A Gram matrix of equal rows is singular: divide by nothing that may be 0, and decide ties alike.",
    ),
    _units: (
        "units of the points",
        "points and bandwidth in another unit have the same weights",
        "Compare points by the kernel; a parameter in units of the points has unit='units of x'.",
    ),
    _select: ("select", "chooses the free parameter", "Let select return self.replace(...) with the parameter chosen."),
    _loocv: ("loocv", "a finite score for each value", "Let loocv(X, values) return an array with a score for each."),
}
PROBED = (_embed, _one_row, _kernel, _same, _unchanged, _order, _equal_rows)  # what `first_failure` checks, in 10 ms
