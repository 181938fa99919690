"""Linear algebra that the estimators share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.linalg import lapack as _lapack

from explorer.checks import Refusal
from explorer.printing import printed
from explorer.types import Gram, Matrix, Values, Vector

# LAPACK's error bound is a small multiple of n eps |K|: so far below 0, times n and the largest, an eigenvalue may be
# rounding
SHARE = 1e3 * np.finfo(float).eps
NEGLIGIBLE = 1e-13  # of a squared norm, below which `coordinates` leaves a point
lapack: Any = _lapack  # its types lack most routines
ROUNDING = 16 * np.finfo(float).eps  # what differences of numbers up to 1, some tens of them, leave at most
AT_ONCE = 2**26  # multiplications of a triangular solve that other threads wait for: some 20 ms
TILE = 256  # rows and columns of a tile whose opposite is near
BLOCK = 128  # columns of a pivoted Cholesky factor that one product takes off a stored matrix


def power_of_two(size: float) -> float:
    """The largest power of two that is no larger than a size >= 0; 1 for 0.

    To divide by it and multiply by it rounds nothing.
    """
    return math.ldexp(0.5, math.frexp(size)[1]) if size > 0 else 1.0


def frobenius(K: Gram) -> float:
    """The Frobenius norm of K, also where the squares of its entries are no floats, or vanish."""
    with np.errstate(over="ignore", under="ignore"):
        size = float(np.linalg.norm(K))
    if 1e-140 < size < math.inf or not K.size:
        return size
    unit = power_of_two(float(max(K.max(), -K.min())))
    return unit * float(np.linalg.norm(K / unit))


def symmetrise(A: Matrix) -> Matrix:
    """(A + A')/2 in the place of A (n, n), a tile and its opposite at a time."""
    for i in range(0, len(A), TILE):
        rows = slice(i, i + TILE)
        for j in range(i, len(A), TILE):
            columns = slice(j, j + TILE)
            A[rows, columns] = mean = 0.5 * (A[rows, columns] + A[columns, rows].T)
            A[columns, rows] = mean.T
    return A


def eigh_psd(K: Gram, name: str = "the Gram matrix") -> tuple[Vector, Matrix]:
    """Eigenvalues (n,) rising and eigenvectors (n, n) of a positive semi-definite matrix, rounding below zero set to
    zero.

    Divide and conquer ("evd") is the fastest LAPACK road to all eigenvectors. Raises ValueError where K has an
    eigenvalue that is negative beyond rounding, so no estimator works on a matrix that is not a Gram matrix; `name` is
    what the sentence calls it.
    """
    gamma, U = np.linalg.eigh(K)  # scipy's would keep every other thread waiting meanwhile
    _refuse_negative(gamma, name, "use a positive semi-definite kernel")
    return np.maximum(gamma, 0.0), U


def refuse_indefinite(K: Gram, name: str, way_out: str) -> None:
    """ValueError where a symmetric K has an eigenvalue that is negative beyond rounding; `way_out` is its advice.

    Cholesky's factor, an eighth of the eigenvalues' price, settles what has one; the eigenvalues are taken where it
    fails.
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
    """γ0, the smallest non-zero one of a Gram matrix's n eigenvalues: those up to n eps γ_max are rounding.

    inf where all are.

    >>> import numpy as np
    >>> from explorer.estimators import smallest_eigenvalue
    >>> smallest_eigenvalue(np.array([0.0, 1e-17, 0.5, 2.0]))
    0.5
    """
    nonzero = gamma[gamma > len(gamma) * np.finfo(float).eps * gamma.max()]
    return float(nonzero.min()) if len(nonzero) else np.inf


class Ridge:
    """B -> (K + λI)^-1 B for a positive semi-definite K (n, n) and one λ > 0.

    By Cholesky's factor; by the eigendecomposition where λ is so far below K's rounding that there is none, and then
    n eps times the largest eigenvalue stands for a smaller λ.
    """

    inverse: Values
    factor: np.ndarray

    def __init__(self, K: Gram, lam: float) -> None:
        lifted, self.U = K.copy(), None
        lifted[np.diag_indices(len(K))] += lam
        try:
            # numpy's, not scipy's: the threads of two BLAS libraries in turn wait for each other
            self.factor = np.linalg.cholesky(lifted).T
        except np.linalg.LinAlgError:
            gamma, self.U = eigh_psd(K)
            # eigenvalues far below are rounding, and so would be what a λ there gives
            self.inverse = 1 / (gamma + max(lam, len(K) * np.finfo(float).eps * gamma[-1]))

    def __call__(self, B: Values) -> Values:
        """(K + λI)^-1 B for B (n,) or (n, m)."""
        if self.U is None:
            return self._solved(B)
        return self.U @ ((self.U.T @ B).T * self.inverse).T

    def _solved(self, B):
        """By the factor, some columns at a time: other threads run only between the calls of this routine."""
        columns = max(1, AT_ONCE // len(self.factor) ** 2)
        if np.ndim(B) == 1 or B.shape[1] <= columns:
            return lapack.dpotrs(self.factor, B)[0].reshape(np.shape(B))
        parts = (B[:, i : i + columns] for i in range(0, B.shape[1], columns))
        return np.hstack([lapack.dpotrs(self.factor, part)[0] for part in parts])


@printed
class PivotedCholesky(NamedTuple):
    """K ≈ F F' column by column: the first r columns are the factor of rank r, so that every lower rank comes for free.

    F         (n, R); pivots (R,), the columns of K that were read, in their order
    residual  (R + 1,): tr(K - F_r F_r') for r = 0 ... R, with K - F_r F_r' positive semi-definite
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
    """The pivoted Cholesky factor of a positive semi-definite K (n, n) from its diagonal (n,) and column(i) -> K[:, i]
    (n,).

    Each step takes the column of the largest residual variance d_i = K_ii - |F_i|^2. It stops at `rank` columns, or
    where every d_i <= enough_i, None for tolerance max K_ii: then |K - F F'|_ij <= tolerance max K_ii too, and at the
    default, K is rebuilt up to rounding. O(n R) memory and R columns of K, O(n R^2). Harbrecht, Peters, Schneider 2012
    (Appl. Numer. Math. 62, 428).

    enough  (n,), where rows differ in size so much that a bound for all would call the smaller ones rounding
    order   how F lies in memory while it is made: "F" is quicker for many points; the last bits of "C" are others
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
        if r == F.shape[1]:  # as many again: the rank is rarely known
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
    """`pivoted_cholesky` of a stored K (n, n): the same pivots but for ties, in a seventh of the time at n = 1600.

    What is left of K is kept in a copy, without the rows that were pivots: each column meets at most 127 before it, and
    one product takes 128 of them off at once. O(n^2) memory, O(n^2 R). LAPACK's pstrf is faster still, but knows one
    tolerance for all rows, and keeps every other thread waiting.
    """
    n, rest, there = len(K), K, np.arange(len(K))
    blocks, pivots, residual = [], [], [np.array([np.maximum(K.diagonal(), 0.0).sum()])]
    while len(there):
        block = pivoted_cholesky(rest.diagonal(), rest.__getitem__, BLOCK, enough=enough[there])
        if not len(block.pivots):
            break
        columns = np.zeros((n, len(block.pivots)))
        columns[there] = block.F
        blocks.append(columns)
        pivots.append(there[block.pivots])
        residual.append(block.residual[1:])
        left = np.delete(np.arange(len(there)), block.pivots)
        rest = rest[np.ix_(left, left)]
        rest -= block.F[left] @ block.F[left].T
        there = there[left]
    F = np.hstack(blocks) if blocks else np.empty((n, 0))
    return PivotedCholesky(F, np.concatenate([np.empty(0, dtype=int), *pivots]), np.concatenate(residual))


def coordinates(G: Gram, most: int | None = None) -> Matrix | None:
    """Coordinates F (n, r), F F' = G, of points that only a Gram matrix knows, some of them far away.

    None where r would pass `most` (None: n). The point that is least explained comes next, until of each squared norm,
    or of the median one where that is larger, only 1e-13 is left. Relative to each point's own norm: an outlier of norm
    1e7 is done with after one column that takes no digit from the others, where a bound relative to the largest would
    call all the others rounding. A singular G is no obstacle.
    """
    square, most = G.diagonal(), len(G) if most is None else min(most, len(G))
    enough = NEGLIGIBLE * np.maximum(square, np.median(square))
    # a min-max search along these coordinates follows their last bits, those of rows that lie together
    F = pivoted_cholesky(square, G.__getitem__, min(most + 1, len(G)), enough=enough, order="C").F
    return F if F.shape[1] <= most else None


def classical_scaling(squared: Matrix, most: int) -> tuple[Matrix, Callable[..., Any]]:
    """Places (l, most) whose squared distances are nearest to `squared` (l, l), and a function for others.

    The axes are those of the largest eigenvalues of -J D² J / 2, J = I - 11'/l, which is the centred Gram matrix of
    points that have these distances; a column is 0 where there is no such eigenvalue. The function takes squared
    distances (m, l) of others to the points, and gives their projections (m, most) (Gower 1968, Biometrika 55, 582).
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
    """The linear map v -> product(v) of R^n to itself, as scipy's solvers take it."""
    from scipy.sparse.linalg import LinearOperator  # which `import explorer` does not owe

    made: Any = LinearOperator  # its types know no map by its product alone
    return made((n, n), matvec=product, dtype=float)
