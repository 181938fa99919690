"""Linear algebra that the estimators share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.linalg import lapack as _lapack

from explorer.checks import Refusal
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.types import Gram, Matrix, Values, Vector

# LAPACK's error bound is a small multiple of n eps |K|: an eigenvalue this far below 0, times n and the largest one,
# may be rounding
SHARE = 1e3 * np.finfo(float).eps
NEGLIGIBLE = 1e-13  # share of a squared norm at which `coordinates` is finished with a point
lapack: Any = _lapack  # its types lack most routines
ROUNDING = 16 * np.finfo(float).eps  # largest rounding error of some tens of differences of numbers up to 1
AT_ONCE = 2**26  # multiplications of one triangular solve, which blocks other threads: some 20 ms
TILE = 256  # rows and columns of a tile; a tile and its opposite are averaged together
BLOCK = 128  # columns of a pivoted Cholesky factor that one product subtracts from a stored matrix


def power_of_two(size: float) -> float:
    """Return the largest power of two that is no larger than a size >= 0, or 1 for 0.

    Division and multiplication by it round nothing.

    Parameters
    ----------
    size : float
        The size.

    Returns
    -------
    float
        The power of two.
    """
    return math.ldexp(0.5, math.frexp(size)[1]) if size > 0 else 1.0


def frobenius(K: Gram) -> float:
    """Compute the Frobenius norm of K, also if the squares of its entries overflow or vanish.

    Parameters
    ----------
    K : ndarray of shape (n, m)
        The matrix.

    Returns
    -------
    float
        The norm.
    """
    with np.errstate(over="ignore", under="ignore"):
        size = float(np.linalg.norm(K))
    if 1e-140 < size < math.inf or not K.size:
        return size
    unit = power_of_two(float(max(K.max(), -K.min())))
    return unit * float(np.linalg.norm(K / unit))


def symmetrise(A: Matrix) -> Matrix:
    """Replace A by (A + A')/2, in place, a tile and its opposite at a time.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        The matrix; overwritten.

    Returns
    -------
    ndarray of shape (n, n)
        The array A.
    """
    for i in range(0, len(A), TILE):
        rows = slice(i, i + TILE)
        for j in range(i, len(A), TILE):
            columns = slice(j, j + TILE)
            A[rows, columns] = mean = 0.5 * (A[rows, columns] + A[columns, rows].T)
            A[columns, rows] = mean.T
    return A


@limit_threads
def eigh_psd(K: Gram, name: str = "the Gram matrix") -> tuple[Vector, Matrix]:
    """Compute eigenvalues and eigenvectors of a positive semi-definite matrix, with rounding below zero set to zero.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The matrix.
    name : str, default "the Gram matrix"
        Name of the matrix in the error message.

    Returns
    -------
    gamma : ndarray of shape (n,)
        The eigenvalues, rising.
    U : ndarray of shape (n, n)
        The eigenvectors, as columns.

    Raises
    ------
    ValueError
        If K has an eigenvalue that is negative beyond rounding, so that no estimator works on a matrix that is not a
        Gram matrix.

    Notes
    -----
    Divide and conquer ("evd") is LAPACK's fastest method for all eigenvectors.
    """
    gamma, U = np.linalg.eigh(K)  # scipy's eigh would block every other thread
    _refuse_negative(gamma, name, "use a positive semi-definite kernel")
    return np.maximum(gamma, 0.0), U


def refuse_indefinite(K: Gram, name: str, way_out: str) -> None:
    """Refuse a symmetric matrix that has an eigenvalue negative beyond rounding.

    Cholesky's factor, at an eighth of the eigenvalues' cost, decides if it exists; eigenvalues are computed only if it
    fails.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The matrix.
    name : str
        Name of the matrix in the message.
    way_out : str
        The message's advice.

    Raises
    ------
    ValueError
        If there is such an eigenvalue.
    """
    top = K.diagonal().max()  # at most the largest eigenvalue
    if top > 0:
        lifted = K.copy(order="F")
        lifted[np.diag_indices(len(K))] += SHARE * len(K) * top
        if lapack.dpotrf(lifted, lower=1, overwrite_a=1, clean=0)[1] == 0:
            return
    _refuse_negative(np.linalg.eigvalsh(K), name, way_out)


def _refuse_negative(gamma, name, way_out):
    if gamma[0] < -SHARE * len(gamma) * max(gamma[-1], -gamma[0]):
        raise Refusal(
            f"{name} has the eigenvalue {gamma[0]:.3g} beside its largest, {gamma[-1]:.3g}; "
            f"a kernel gives none below 0: {way_out}."
        )


def smallest_eigenvalue(gamma: Vector) -> float:
    """Return γ0, the smallest non-zero one of a Gram matrix's n eigenvalues: those up to n eps γ_max are rounding.

    Parameters
    ----------
    gamma : ndarray of shape (n,)
        The eigenvalues.

    Returns
    -------
    float
        The eigenvalue, or inf if all are rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.estimators import smallest_eigenvalue
    >>> smallest_eigenvalue(np.array([0.0, 1e-17, 0.5, 2.0]))
    0.5
    """
    nonzero = gamma[gamma > len(gamma) * np.finfo(float).eps * gamma.max()]
    return float(nonzero.min()) if len(nonzero) else np.inf


class Ridge:
    """The map B -> (K + λI)^-1 B for a positive semi-definite K and one λ > 0.

    It uses Cholesky's factor. If λ is so far below K's rounding that there is none, it uses the eigendecomposition,
    where n eps times the largest eigenvalue replaces a smaller λ.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The matrix.
    lam : float
        The number λ.
    """

    inverse: Values
    factor: np.ndarray

    def __init__(self, K: Gram, lam: float) -> None:
        lifted, self.U = K.copy(), None
        lifted[np.diag_indices(len(K))] += lam
        try:
            # numpy's cholesky, not scipy's: threads of two BLAS libraries that alternate wait for each other
            self.factor = np.linalg.cholesky(lifted).T
        except np.linalg.LinAlgError:
            gamma, self.U = eigh_psd(K)
            # eigenvalues far below the largest are rounding, and so would be the result of a λ there
            self.inverse = 1 / (gamma + max(lam, len(K) * np.finfo(float).eps * gamma[-1]))

    def __call__(self, B: Values) -> Values:
        """Compute (K + λI)^-1 B for B (n,) or (n, m)."""
        if self.U is None:
            return self._solved(B)
        return self.U @ ((self.U.T @ B).T * self.inverse).T

    def _solved(self, B):
        """Solve by the factor, some columns at a time: other threads run only between the calls of this routine."""
        columns = max(1, AT_ONCE // len(self.factor) ** 2)
        if np.ndim(B) == 1 or B.shape[1] <= columns:
            return lapack.dpotrs(self.factor, B)[0].reshape(np.shape(B))
        parts = (B[:, i : i + columns] for i in range(0, B.shape[1], columns))
        return np.hstack([lapack.dpotrs(self.factor, part)[0] for part in parts])


@printed
class PivotedCholesky(NamedTuple):
    """Pivoted Cholesky factor K ≈ F F'; its first r columns are the factor of rank r, so lower ranks are free.

    Attributes
    ----------
    F : ndarray of shape (n, R)
        The factor.
    pivots : ndarray of shape (R,)
        The columns of K that were read, in their order.
    residual : ndarray of shape (R + 1,)
        The traces tr(K - F_r F_r') for r = 0 ... R, with K - F_r F_r' positive semi-definite.
    """

    F: np.ndarray
    pivots: np.ndarray
    residual: np.ndarray


def pivoted_cholesky(
    diagonal: Vector,
    column: Callable[[int], Vector],
    rank: int | None = None,
    tolerance: float = ROUNDING,
    enough: Vector | None = None,
    order: Literal["C", "F"] = "F",
) -> PivotedCholesky:
    """Compute the pivoted Cholesky factor of a positive semi-definite K from its diagonal and columns.

    Each step takes the column of the largest residual variance ``d_i = K_ii - |F_i|^2``. It stops at `rank` columns, or
    if every d_i is at most enough_i.

    Parameters
    ----------
    diagonal : ndarray of shape (n,)
        The diagonal of K.
    column : callable
        Maps i to K[:, i], shape (n,).
    rank : int or None, default None
        Largest number of columns; None stands for n.
    tolerance : float, default 16 eps
        Share of max K_ii at which it stops if `enough` is None.
    enough : ndarray of shape (n,) or None, default None
        Residual variances at which it stops, if rows differ so much in size that one bound for all would call the
        smaller ones rounding. None stands for tolerance max K_ii.
    order : {"C", "F"}, default "F"
        Memory layout of F while it is computed. "F" is faster for many points; "C" gives other last bits.

    Returns
    -------
    PivotedCholesky
        The factor, its pivots and residuals.

    Notes
    -----
    With `enough` None, ``|K - F F'|_ij <= tolerance max K_ii`` too, and at the default tolerance K is reproduced up to
    rounding. O(n R) memory and R columns of K, O(n R^2). Harbrecht, Peters, Schneider 2012 (Appl. Numer. Math. 62,
    428).
    """
    left = np.maximum(diagonal, 0.0)
    n = len(left)
    limit = tolerance * left.max(initial=0.0) if enough is None else enough
    most = n if rank is None else min(rank, n)
    F, pivots, residual = np.empty((n, min(most, 32)), order=order), [], [left.sum()]
    while len(pivots) < most:
        more = np.where(left > limit, left, 0.0)
        pivot, r = int(np.argmax(more)), len(pivots)
        if more[pivot] == 0:
            break
        if r == F.shape[1]:  # double the columns, as the rank is rarely known
            wider = np.empty((n, min(2 * r, most)), order=order)
            wider[:, :r] = F
            F = wider
        F[:, r] = (column(pivot) - F[:, :r] @ F[pivot, :r]) / math.sqrt(left[pivot])
        left = np.maximum(left - F[:, r] ** 2, 0.0)
        left[pivot] = 0.0  # exactly, where rounding leaves 1e-17
        pivots.append(pivot)
        residual.append(left.sum())
    return PivotedCholesky(F[:, : len(pivots)].copy(order="C"), np.array(pivots, dtype=int), np.array(residual))


def pivoted_cholesky_of(K: Gram, enough: Vector) -> PivotedCholesky:
    """Compute `pivoted_cholesky` of a stored K: the same pivots except for ties, in a seventh of the time at n = 1600.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The matrix.
    enough : ndarray of shape (n,)
        Residual variances at which it stops.

    Returns
    -------
    PivotedCholesky
        The factor, its pivots and residuals.

    Notes
    -----
    A copy holds the remainder of K, without the rows that were pivots. Each column is reduced by at most 127 before it,
    and one product subtracts 128 of them at once. O(n^2) memory, O(n^2 R). LAPACK's pstrf is faster still, but knows
    one tolerance for all rows, and blocks every other thread.
    """
    n, rest, remaining = len(K), K, np.arange(len(K))
    blocks, pivots, residual = [], [], [np.array([np.maximum(K.diagonal(), 0.0).sum()])]
    while len(remaining):
        block = pivoted_cholesky(rest.diagonal(), rest.__getitem__, BLOCK, enough=enough[remaining])
        if not len(block.pivots):
            break
        columns = np.zeros((n, len(block.pivots)))
        columns[remaining] = block.F
        blocks.append(columns)
        pivots.append(remaining[block.pivots])
        residual.append(block.residual[1:])
        left = np.delete(np.arange(len(remaining)), block.pivots)
        rest = rest[np.ix_(left, left)]
        rest -= block.F[left] @ block.F[left].T
        remaining = remaining[left]
    F = np.hstack(blocks) if blocks else np.empty((n, 0))
    return PivotedCholesky(F, np.concatenate([np.empty(0, dtype=int), *pivots]), np.concatenate(residual))


def coordinates(G: Gram, most: int | None = None) -> Matrix | None:
    """Compute coordinates F, F F' = G, of points that are known only by a Gram matrix, some of them far away.

    Parameters
    ----------
    G : ndarray of shape (n, n)
        The Gram matrix; it may be singular.
    most : int or None, default None
        Largest number r of coordinates; None stands for n.

    Returns
    -------
    ndarray of shape (n, r) or None
        The coordinates, or None if r would exceed `most`.

    Notes
    -----
    The point that is least explained comes next, until only 1e-13 remains of each squared norm, or of the median one if
    that is larger. The bound is relative to each point's own norm. So an outlier of norm 1e7 is finished after one
    column that takes no digit from the others, while a bound relative to the largest would call all the others
    rounding.
    """
    square, most = G.diagonal(), len(G) if most is None else min(most, len(G))
    enough = NEGLIGIBLE * np.maximum(square, np.median(square))
    # order "C", because a min-max search along these coordinates depends on their last bits
    F = pivoted_cholesky(square, G.__getitem__, min(most + 1, len(G)), enough=enough, order="C").F
    return F if F.shape[1] <= most else None


def classical_scaling(squared: Matrix, most: int) -> tuple[Matrix, Callable[..., Any]]:
    """Compute positions whose squared distances are nearest to given ones, and a function that projects other points.

    Parameters
    ----------
    squared : ndarray of shape (l, l)
        Squared distances.
    most : int
        Number of coordinates.

    Returns
    -------
    positions : ndarray of shape (l, most)
        The positions. A column is 0 if it has no positive eigenvalue.
    project : callable
        Maps squared distances (m, l) of other points to these points to projections (m, most).

    Notes
    -----
    The axes are those of the largest eigenvalues of -J D² J / 2, J = I - 11'/l, which is the centred Gram matrix of
    points that have these distances (Gower 1968, Biometrika 55, 582).
    """
    middle = squared.mean(axis=0)
    gamma, U = np.linalg.eigh(-(squared - middle - middle[:, None] + middle.mean()) / 2)
    gamma, U = gamma[::-1][:most], U[:, ::-1][:, :most]
    real = gamma > len(squared) * np.finfo(float).eps * max(gamma[0], 0.0)
    roots = np.sqrt(np.where(real, gamma, 1.0))
    axes = np.zeros((len(squared), most))
    axes[:, : len(roots)] = np.where(real, U / roots, 0.0)
    places = np.zeros(axes.shape)
    places[:, : len(roots)] = np.where(real, U * roots, 0.0)

    def others(to):
        return -(to - to.mean(axis=1, keepdims=True) - middle + middle.mean()) / 2 @ axes

    return places, others


def operator(n: int, product: Callable[[Vector], Vector]) -> Any:
    """Return the linear map v -> product(v) of R^n to itself, as scipy's solvers take it.

    Parameters
    ----------
    n : int
        The dimension.
    product : callable
        The map.

    Returns
    -------
    scipy.sparse.linalg.LinearOperator
        The operator.
    """
    from scipy.sparse.linalg import LinearOperator  # imported here to keep `import explorer` fast

    untyped: Any = LinearOperator  # its types do not allow a map that has only its product
    return untyped((n, n), matvec=product, dtype=float)
