"""Checks of a kernel: what every estimator, test and lab relies on, on points of several scales and dimensions."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, WrongType, rows
from explorer.model import Model, code
from explorer.printing import echo
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike

from .base import Kernel

POINTS = 12  # points of a probe
SHAPES = ((1, 1.0), (2, 0.01), (2, 1.0), (2, 100.0), (5, 1.0))  # dimension and scale of the probes of numbers
CLOSE = 1e-9  # tolerated rounding, relative to the largest value of a Gram matrix
NEAR = 1e-4  # tolerated error of a difference quotient, relative to the largest gradient
DRAWS = 4096  # pairs of draws that an expectation is compared with
ERRORS = 6  # standard errors of their mean that are tolerated
ROUGH = 1e-3  # further error that is tolerated, relative to the largest value of the Gram matrix


class CheckRow(NamedTuple):
    """A property of a model: whether it holds, what was found, and what to do if it does not.

    Attributes
    ----------
    property : str
        The property.
    passed : bool or None
        Whether it holds; None if the model does not claim it.
    found : str
        What was found.
    advice : str
        What to do if it does not hold.

    Examples
    --------
    >>> from explorer import Gaussian, check_kernel
    >>> from explorer.kernels import CheckRow
    >>> row: CheckRow = check_kernel(Gaussian()).rows[1]
    >>> row.property, row.passed, row.found
    ('symmetric', True, 'k(x, y) = k(y, x)')
    """

    property: str
    passed: bool | None
    found: str
    advice: str


@dataclass(frozen=True)
class CheckReport:
    """The result of `check_kernel` or `check_estimator`: a row for each property. It prints as a table.

    Attributes
    ----------
    model : str
        The code of the model.
    rows : tuple of CheckRow
        The properties.

    Examples
    --------
    >>> from explorer import Delta, check_kernel
    >>> from explorer.kernels import CheckReport
    >>> report: CheckReport = check_kernel(Delta())
    >>> report.passed, [row.property for row in report.rows if row.passed is None]
    (True, ['expected', 'expected_diagonal', 'gradient'])
    """

    model: str
    rows: tuple[CheckRow, ...]

    @property
    def passed(self) -> bool:
        """True if no property fails."""
        return not self.failures

    @property
    def failures(self) -> tuple[CheckRow, ...]:
        """The rows of the properties that fail."""
        return tuple(row for row in self.rows if row.passed is False)

    def raise_for_failures(self) -> None:
        """Raise an AssertionError that names all failures, for tests.

        Raises
        ------
        AssertionError
            If a property fails.
        """
        if not self.passed:
            lines = (f"- {row.property}: {row.found}. {row.advice}" for row in self.failures)
            raise AssertionError("\n".join([f"{self.model} fails {len(self.failures)} checks:", *lines]))

    def __str__(self) -> str:
        words = {True: "passed", False: "FAILED", None: "not given"}
        width = max(len(row.property) for row in self.rows)
        lines = [f"{row.property:<{width}}  {words[row.passed]:<9}  {row.found}" for row in self.rows]
        lines += [f"{row.property}: {row.advice}" for row in self.failures]
        return "\n".join([self.model, *lines])


@explain_wrong_calls
def check_kernel(kernel: Kernel, X: PointsLike | None = None) -> CheckReport:
    """Check what estimators, tests and labs rely on in a kernel, on points of several scales and dimensions.

    Use it in the tests of a kernel of your own. It does not say whether the kernel suits your data.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : array_like of shape (n, d) or None, default None
        Points of the user's. None is random points; a kernel of given columns needs points of its own.

    Returns
    -------
    CheckReport
        A row for each property: finite values, symmetry, positive semi-definite Gram matrices, `diagonal`, values
        between two sets of points, multiples and sums, `expected`, `gradient`, and what every model has (copies,
        pickle, equality, a repr that evaluates). `raise_for_failures()` is for tests.

    Raises
    ------
    TypeError
        If it is not a kernel.
    ValueError
        If X has one row, or the kernel takes neither X nor any of the random points.

    Examples
    --------
    >>> from explorer import Gaussian, Kernel, check_kernel
    >>> import numpy as np
    >>> class Distance(Kernel):
    ...     def pairs(self, X, Y=None):
    ...         return np.abs(X - (X if Y is None else Y).T)
    ...     def of_pairs(self, S):
    ...         return S
    ...     def diagonal(self, X):
    ...         return np.zeros(len(X))
    >>> check_kernel(Gaussian()).passed
    True
    >>> row = check_kernel(Distance(), [0.0, 1.0, 3.0]).failures[0]
    >>> row.property, row.found
    ('positive semi-definite', '2 of 3 eigenvalues are below 0, the least -3.202')
    """
    if not isinstance(kernel, Kernel):
        raise WrongType(f"kernel must be a kernel, not {echo(kernel)}.")
    if X is None:
        probes = [each for each in probes_of(kernel) if _takes(kernel, each)]
    else:
        probes = [kernel.points(X)]
        rows(probes[0], "X", at_least=2)
    if not probes:
        raise Refusal(f"{echo(kernel)} takes none of the random points; give points as X.")
    checks = (_finite, _symmetric, _definite, _diagonal, _between, _algebra, _expected, _expected_diagonal, _gradient)
    return CheckReport(repr(kernel), (*(_worst(each, kernel, probes) for each in checks), *model_rows(kernel)))


def probes_of(kernel: Kernel) -> Iterator[Any]:
    """Yield points of the kind that a kernel takes.

    Parameters
    ----------
    kernel : Kernel
        The kernel.

    Yields
    ------
    ndarray
        Points.
    """
    rng = np.random.default_rng(0)
    if kernel.space == "strings":
        yield np.array([["".join(rng.choice(["a", "b"], 6))] for _ in range(POINTS)])
    elif kernel.space == "row numbers":
        yield np.arange(POINTS)[:, None].astype(float)
    elif kernel.space == "categories":
        for d in (1, 2):
            yield rng.integers(3, size=(POINTS, d)).astype(float)
    else:
        for d, scale in SHAPES:
            yield scale * rng.normal(size=(POINTS, d))
        yield rng.normal(size=(POINTS, 3))


def _takes(kernel, X):
    """Return whether a kernel takes points: a refusal is an answer, any other exception is a failure of a check."""
    try:
        kernel.points(X)
        kernel.select(X)(X)
    except Refusal:
        return False
    except Exception:
        return True
    return True


def _worst(check, kernel, probes):
    """Return the first failure of a check over the probes, otherwise its last row."""
    row = CheckRow(NAMES[check][0], None, "no points to check it on", NAMES[check][2])
    for X in probes:
        try:
            row = check(kernel.select(X), X)
        except (Refusal, NotImplementedError) as refusal:
            name, _, advice = NAMES[check]
            if check in OPTIONAL:
                row = CheckRow(name, None, "the kernel has none", advice)
                continue
            said = str(refusal) or f"{check.__name__.strip('_')} is not written"
            return CheckRow(name, False, said, advice)
        except Exception as error:  # the user's code may raise anything
            name, _, advice = NAMES[check]
            return CheckRow(name, False, f"{type(error).__name__}: {error}", advice)
        if row.passed is False:
            return row
    return row


def _row(check, passed, found):
    name, held, advice = NAMES[check]
    return CheckRow(name, bool(passed), held if passed else found, advice)


def _finite(kernel, X):
    K = np.asarray(kernel(X))
    fits = K.shape == (len(X), len(X)) and K.dtype.kind == "f" and bool(np.isfinite(K).all())
    return _row(_finite, fits, f"k(X) of {len(X)} points has shape {K.shape} and {_count(~np.isfinite(K))} not finite")


def _symmetric(kernel, X):
    K = kernel(X)
    gap = np.abs(K - K.T)
    i, j = np.unravel_index(gap.argmax(), gap.shape)
    found = f"k(x, y) = {K[i, j]:.4g} and k(y, x) = {K[j, i]:.4g} at x = {_point(X[i])}, y = {_point(X[j])}"
    return _row(_symmetric, gap.max() <= CLOSE * np.abs(K).max(), found)


def _definite(kernel, X):
    K = kernel(X)
    g = np.linalg.eigvalsh((K + K.T) / 2)
    found = f"{_count(g < -CLOSE * np.abs(g).max())} of {len(g)} eigenvalues are below 0, the least {g[0]:.4g}"
    return _row(_definite, g[0] >= -CLOSE * np.abs(g).max(), found)


def _diagonal(kernel, X):
    K, diagonal = kernel(X).diagonal(), np.asarray(kernel.diagonal(X))
    if diagonal.shape != K.shape:
        return _row(_diagonal, False, f"diagonal(X) has shape {diagonal.shape}, not {K.shape}")
    i = np.abs(K - diagonal).argmax()
    found = f"diagonal gives {diagonal[i]:.4g} at {_point(X[i])}, and k(x, x) = {K[i]:.4g}"
    return _row(_diagonal, np.abs(K - diagonal).max() <= CLOSE * np.abs(kernel(X)).max(), found)


def _between(kernel, X):
    K, half = kernel(X), len(X) // 2
    between = np.asarray(kernel(X[:half], X[half:]))
    if between.shape != (half, len(X) - half):
        return _row(_between, False, f"k(X, Y) has shape {between.shape}, not {(half, len(X) - half)}")
    gap = np.abs(between - K[:half, half:]).max()
    return _row(_between, gap <= CLOSE * np.abs(K).max(), f"k(X, Y) and the values of k(X) differ by up to {gap:.3g}")


def _algebra(kernel, X):
    K = kernel(X)
    gaps = [np.abs((2.0 * kernel)(X) - 2 * K).max(), np.abs((kernel + kernel)(X) - 2 * K).max()]
    return _row(_algebra, max(gaps) <= CLOSE * np.abs(K).max(), f"2 k or k + k differs from 2 k(X) by {max(gaps):.3g}")


def _noise(X):
    """Return a small covariance for points, and as many draws of it as an expectation is compared with."""
    deviations = 0.3 * X.std(axis=0) + 1e-3 * np.abs(X).max()
    draws = np.random.default_rng(1).normal(size=(DRAWS, X.shape[1])) * deviations
    return np.diag(deviations**2), np.concatenate([draws, -draws])


def _expected(kernel, X):
    if X.dtype.kind != "f":
        raise Refusal("noise is put on numbers.")
    C, draws = _noise(X)
    x, y = X[:2], X.take([0, 2, 3], axis=0, mode="wrap")
    if np.abs(kernel.expected(x, None, y, None) - kernel(x, y)).max() > CLOSE * np.abs(kernel(X)).max():
        return _row(_expected, False, "expected without noise differs from the kernel")
    values = kernel.expected(x, C, y, None)
    return _by_draws(_expected, values, np.stack([kernel(each + draws, y) for each in x], axis=1), kernel, X)


def _expected_diagonal(kernel, X):
    if X.dtype.kind != "f":
        raise Refusal("noise is put on numbers.")
    C, draws = _noise(X)
    values = kernel.expected_diagonal(X[:2], C)
    sampled = np.stack([kernel.diagonal(each + draws) for each in X[:2]], axis=1)
    return _by_draws(_expected_diagonal, values, sampled, kernel, X)


def _by_draws(check, values, draws, kernel, X):
    """Compare expectations with means over draws, as precisely as their standard errors allow."""
    means, errors = draws.mean(axis=0), draws.std(axis=0) / np.sqrt(DRAWS)
    fits = np.abs(values - means) <= ERRORS * errors + ROUGH * np.abs(kernel(X)).max()
    return _row(check, fits.all(), _against(values, means))


def _gradient(kernel, X):
    if X.dtype.kind != "f":
        raise Refusal("a gradient is by numbers.")
    x, y = X[:3], X.take([3, 4, 5], axis=0, mode="wrap")
    given, shape = np.asarray(kernel.gradient(x, y)), (len(x), len(y), X.shape[1])
    if given.shape != shape:
        return _row(_gradient, False, f"gradient(X, Y) has shape {given.shape}, not {shape}")
    quotients = np.empty_like(given)
    for c in range(X.shape[1]):
        step = np.zeros(X.shape[1])
        step[c] = 1e-5 * (X[:, c].std() + 1e-3 * np.abs(X).max())
        quotients[:, :, c] = (kernel(x + step, y) - kernel(x - step, y)) / (2 * step[c])
    gap = np.abs(given - quotients).max()
    return _row(_gradient, gap <= NEAR * np.abs(quotients).max(), _against(given, quotients))


# what is checked: its name, what holds, and what to do if it does not
NAMES: dict[Callable[..., CheckRow], tuple[str, str, str]] = {
    _finite: ("finite values", "k(X) is (n, n) and finite", "Let of_pairs(pairs(X)) return an (n, n) array of floats."),
    _symmetric: ("symmetric", "k(x, y) = k(y, x)", "Let pairs treat x and y alike, as a distance or a product does."),
    _definite: (
        "positive semi-definite",
        "no eigenvalue below 0",
        "Take another function: a distance d becomes a kernel as exp(-d), or by Energy().",
    ),
    _diagonal: ("diagonal", "diagonal(X) is that of k(X)", "Let diagonal(X) return k(x_i, x_i), shape (n,)."),
    _between: ("two sets of points", "k(X, Y) agrees with k(X)", "Let pairs(X, Y) treat Y=None as Y=X."),
    _algebra: ("multiples and sums", "2 k and k + k are 2 k(X)", "Let of_pairs leave the result of pairs unchanged."),
    _expected: ("expected", "agrees with a mean over draws", "Correct expected, or leave it out: it is optional."),
    _expected_diagonal: (
        "expected_diagonal",
        "agrees with a mean over draws",
        "Both arguments carry the same noise; leave expected_diagonal out if it has no closed form.",
    ),
    _gradient: (
        "gradient",
        "agrees with difference quotients",
        "It is the gradient by the first argument, shape (n, m, d); it is optional.",
    ),
}
OPTIONAL = (_expected, _expected_diagonal, _gradient)


def model_rows(model: Model) -> Iterator[CheckRow]:
    """Yield the rows of what every model has: copies, pickle, equality and a repr that evaluates.

    Parameters
    ----------
    model : Model
        The model.

    Yields
    ------
    CheckRow
        A row for each property.
    """
    advice = "Keep all inputs in parameters (fields of the class), and nothing else."
    for name, copied in (
        ("copy", lambda: model.replace()),
        ("clone", lambda: model.__sklearn_clone__()),
        ("pickle", lambda: pickle.loads(pickle.dumps(model))),
        ("repr", lambda: eval(_code_of(model), _names_for(model))),
    ):
        try:
            same = copied()
        except Exception as error:  # the user's code may raise anything
            yield CheckRow(name, False, f"{type(error).__name__}: {error}", ADVICE.get(name, advice))
            continue
        passed = same == model and hash(same) == hash(model)
        yield CheckRow(name, passed, "equal" if passed else "the copy is not equal", ADVICE.get(name, advice))


ADVICE = {
    "pickle": "Define the class in a module, not in a function.",
    "repr": "The repr is Python that makes the model; leave __repr__ to the base class.",
}


def _code_of(model):
    """Return a model's repr, or its code in full if the repr abbreviates an array."""
    return code(model) if "<" in repr(model) else repr(model)


def _names_for(model):
    """Return the names with which a model's repr is read: the public ones, and those of the modules of its classes."""
    package = sys.modules["explorer"]
    names = {name: getattr(package, name) for name in package.__all__}
    names |= vars(import_module("explorer.kernels")) | {"array": np.array}
    waiting = [model]
    while waiting:
        each = waiting.pop()
        names |= vars(sys.modules.get(type(each).__module__, np)) | {type(each).__name__: type(each)}
        waiting += [part for part in each.values().values() if isinstance(part, Model)]
    return names


def _count(mask):
    return int(np.count_nonzero(mask))


def _point(x):
    return ", ".join(f"{c:.4g}" if isinstance(c, float) else str(c) for c in np.atleast_1d(x).tolist())


def _against(values, others):
    """Return a text of the values that differ most from others."""
    i = np.unravel_index(np.abs(values - others).argmax(), np.shape(values))
    return f"it gives {values[i]:.4g} where {others[i]:.4g} is found by the kernel's own values"
