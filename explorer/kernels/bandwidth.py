"""Bandwidths of kernels: their parameter, and the median heuristic."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.execution.processors import limit_threads
from explorer.linalg import power_of_two
from explorer.parameters import LogNumber
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import PointsLike

from .distances import pairs_in_pieces
from .medians import median

SMALLEST, LARGEST = 1e-290, 1e290  # limits of squared distances: beyond them digits or whole squares are lost


def bandwidth_field(
    bounds: tuple[float, float] = (1e-150, 1e150),
    symbol: str = "θ",
    doc: str = "length scale: the distance at which similarity fades",
) -> Any:
    """Return the parameter of a kernel's bandwidth, which None leaves to the sample.

    Parameters
    ----------
    bounds : tuple of float, default (1e-150, 1e150)
        The smallest and the largest bandwidth.
    symbol : str, default "θ"
        The parameter's symbol.
    doc : str
        The parameter's description.

    Returns
    -------
    LogNumber
        The parameter.
    """
    return LogNumber(
        default=None,
        bounds=bounds,
        softbounds=(1e-2, 1e1),
        allow_None=True,
        symbol=symbol,
        unit="units of x",
        doc=doc,
    )


def known(bandwidth: float | None, kernel: object, remedy: str, name: str = "bandwidth") -> float:
    """Return a kernel's bandwidth, or raise a Refusal if it is still open."""
    if bandwidth is None:
        raise Refusal(
            f"{kernel!r} has no {name} yet and there is no sample here to choose it on; "
            f"{remedy} kernel = kernel.select(X) first."
        )
    return bandwidth


@explain_wrong_calls
def median_bandwidth(X: PointsLike, metric: Literal["sqeuclidean", "cityblock"] = "sqeuclidean") -> float:
    r"""Choose a bandwidth by the median heuristic: the median distance of two points.

    Use it to fix a bandwidth that several calls share: `Gaussian()` chooses it by itself at every sample. For tests
    over many bandwidths use `bandwidth_collection`.

    .. math:: \theta^2 = \operatorname{median}_{i < j} |x_i - x_j|^2

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample, n >= 2.
    metric : {"sqeuclidean", "cityblock"}, default "sqeuclidean"
        The distance. "cityblock" gives the median of ``|x_i - x_j|_1``.

    Returns
    -------
    float
        The bandwidth θ, in units of X.

    Raises
    ------
    ValueError
        If n < 2 or the metric is another one.

    Warns
    -----
    ExplorerWarning
        If more than half of the distances are zero. Then the result is the median of the positive ones, or 1 if all
        distances are zero.

    Notes
    -----
    [xia2021corrupted] takes the median over all i, j, zeros included (erratum 18). For 10 normal points that is a few
    percent less.

    Examples
    --------
    >>> from explorer import median_bandwidth
    >>> median_bandwidth([0.0, 1.0, 3.0])
    2.0
    """
    if not isinstance(metric, str) or metric not in ("sqeuclidean", "cityblock"):
        raise Refusal(f"metric must be 'sqeuclidean' or 'cityblock', not {checks.echo(metric)}.")
    bandwidth, remark = median_and_remark(X, metric)
    if remark:
        checks.warn(remark)
    return bandwidth


@limit_threads
def median_and_remark(X: PointsLike, metric: str = "sqeuclidean") -> tuple[float, str]:
    """Compute the median bandwidth and the text of its warning.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample, n >= 2.
    metric : {"sqeuclidean", "cityblock"}, default "sqeuclidean"
        The distance.

    Returns
    -------
    bandwidth : float
        The bandwidth, in units of X.
    remark : str
        What `median_bandwidth` warns of, or "" if there is nothing to warn of.

    Examples
    --------
    >>> from explorer.kernels import median_and_remark
    >>> median_and_remark([[0.0], [1.0], [3.0]])
    (2.0, '')
    """
    X = checks.sample(X)
    checks.rows(X, "X, for a median bandwidth,", 2)
    unit, pieces, middle = _distances(X) if metric == "cityblock" else _squares(X)
    remark = ""
    if not np.isfinite(middle):
        raise Refusal("X is too large for its distances to be floats; rescale it, to below 1e300 say.")
    if middle == 0:
        positive = [piece[piece > 0] for piece in pieces]
        if any(map(len, positive)):
            middle, used = median(*positive), "the median of the distances above zero"
        else:
            middle, used = 1.0, "the bandwidth 1"
        remark = f"more than half of the points coincide, so the median distance is 0; {used} is used instead."
    return unit * float(middle if metric == "cityblock" else np.sqrt(middle)), remark


def _distances(X):
    """Return 1, the city-block distances of all pairs, in pieces, and their median."""
    pieces = pairs_in_pieces(X, "cityblock")
    return 1.0, pieces, median(*pieces)


def _squares(X):
    """Return a unit, a power of two, the squared distances of all pairs in that unit, in pieces, and their median.

    The unit is chosen such that the squares near the median are floats.
    """
    pieces = pairs_in_pieces(X)
    middle = typical = median(*pieces)
    if middle == 0:
        positive = [piece[piece > 0] for piece in pieces]
        differ = sum(np.count_nonzero(piece) for piece in pairs_in_pieces(X, "chebyshev"))
        if sum(map(len, positive)) == differ:  # the zeros are ties, not squares that were lost
            typical = median(*positive) if differ else 1.0
    if SMALLEST < typical < LARGEST:
        return 1.0, pieces, middle
    with np.errstate(over="ignore"):
        lengths = np.concatenate([_lengths(X[i + 1 :] - X[i]) for i in range(len(X) - 1)])
        unit = power_of_two(median(lengths[lengths > 0])) if lengths.any() else 1.0
        squares = np.square(lengths / unit)
        return unit, [squares], median(squares)


def _lengths(differences):
    """Return |x| for rows x whose squares need not be floats; infinite if a coordinate is."""
    largest = np.abs(differences).max(axis=1)
    usable = (largest > 0) & np.isfinite(largest)
    shares = np.divide(differences, largest[:, None], out=np.ones(differences.shape), where=usable[:, None])
    return largest * np.sqrt(np.square(shares).sum(axis=1))
