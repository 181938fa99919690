"""HSIC of low-rank kernels for every rank at once, with a bound of its distance from that of the kernels themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.results.answer import Answer
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.svg import inline_pictures
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Statistic

from .centred_grams import cholesky_of, of_sums
from .pairing import read_pairs

if TYPE_CHECKING:
    from explorer.kernels import Kernel


@printed
@dataclass(frozen=True)
class RankPath(Answer):
    """HSIC of K_r and L_r, the pivoted Cholesky approximations of rank r, for r = 0 ... R. Arrays are read-only.

    Attributes
    ----------
    values : ndarray of shape (R + 1,)
        Statistic of the low-rank kernels.
    bound : ndarray of shape (R + 1,) or None
        For the biased statistic, certified: 0 <= HSIC(K, L) - values <= bound, up to rounding. None for the unbiased
        one, which is an exact unbiased estimate of the HSIC of the distribution under the low-rank kernels, not under
        the original ones.
    residual : ndarray of shape (2, R + 1)
        tr(K - K_r) / tr K and tr(L - L_r) / tr L, the shares that the rank leaves out.
    statistic : str
        "biased" or "unbiased".
    kernel : tuple of Kernel
        Kernels of both sides.
    n : int
        Number of pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import RankPath, hsic_ranks
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> path: RankPath = hsic_ranks(x, x**2, rank=3)
    >>> path.values.round(4).tolist(), path.bound.round(4).tolist()
    ([0.0, 0.0006, 0.0031, 0.0298], [1.0, 0.7734, 0.3415, 0.0604])
    """

    values: np.ndarray
    bound: np.ndarray | None
    residual: np.ndarray
    statistic: str
    kernel: tuple[Kernel, Kernel]
    n: int

    def __post_init__(self) -> None:
        for name in ("values", "bound", "residual"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _sentence(self):
        return f"The {self.statistic} HSIC of low-rank kernels, by their rank, for n = {self.n} pairs."

    def _picture(self):
        return inline_pictures.curve(np.arange(len(self.values)), self.values, self._sentence())


@limit_threads
@aligned("X Y")
def hsic_ranks(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    rank: int = 50,
    statistic: Statistic = "biased",
) -> RankPath:
    """Compute HSIC of low-rank kernels up to a rank, or until both kernels are reconstructed up to rounding.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernel_x : Kernel or None, default None
        Kernel on X. None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    kernel_y : Kernel or None, default None
        Kernel on Y, chosen in the same way.
    rank : int, default 50
        Largest rank.
    statistic : {"biased", "unbiased"}, default "biased"
        Estimate of HSIC, as in `hsic`.

    Returns
    -------
    RankPath
        HSIC at every rank. Precomputed and string kernels work too.

    Raises
    ------
    Refusal, TypeError
        As `hsic`.

    Notes
    -----
    Let F_r and G_r be the first r columns of the factors, and HF_r and HG_r these columns centred. The biased HSIC is
    ``|F_r'HG_r|_F^2 / n^2``. K - K_r, K_r and HLH are positive semi-definite, and tr(MN) <= tr M tr N for such
    matrices. So HSIC(K, L) exceeds it by at most (e_K (tr HL_rH + e_L) + e_L tr HK_rH) / n^2, where e_K = tr(K - K_r)
    is known exactly. The article calls it an unbiased estimate in O(n (d_f^2 + d_g^2)); it is unbiased for the low-rank
    kernels only (encyclopedia article; erratum E-14).

    The cost is O(n rank^2) time and O(n rank) memory, for any n.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import hsic, hsic_ranks
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> path = hsic_ranks(x, x**2, rank=10)
    >>> round(hsic(x, x**2), 6), path.values[[2, 5, 8]].round(6).tolist()
    (0.031462, [0.003091, 0.031401, 0.031462])
    """
    one_of(statistic, ("biased", "unbiased"), "statistic")
    rank = checks.whole(rank, "rank", 1)
    at_least, purpose = (4, "for the unbiased statistic") if statistic == "unbiased" else (1, "")
    X, Y, kernels = read_pairs(X, Y, kernel_x, kernel_y, at_least, purpose)
    n, factors = len(X), [cholesky_of(kernel, Z, None, rank) for kernel, Z in zip(kernels, (X, Y), strict=True)]
    R = max(len(each.pivots) for each in factors)
    # add columns of zeros for the ranks that only the other side has
    F, G = (np.pad(each.F - each.F.mean(axis=0), ((0, 0), (0, R - len(each.pivots)))) for each in factors)
    e_K, e_L = (np.pad(each.residual, (0, R - len(each.pivots)), mode="edge") for each in factors)
    whole = np.zeros(R + 1)
    whole[1:] = np.diagonal(np.cumsum(np.cumsum((F.T @ G) ** 2, axis=0), axis=1))
    a, b = (np.pad(np.cumsum(each**2, axis=1), ((0, 0), (1, 0))) for each in (F, G))  # the diagonals of HK_rH, HL_rH
    t_K, t_L = a.sum(axis=0), b.sum(axis=0)
    values = of_sums(whole, np.einsum("ir,ir->r", a, b), t_K * t_L, n, statistic)
    bound = (e_K * (t_L + e_L) + e_L * t_K) / n**2 if statistic == "biased" else None
    shares = [e / e[0] if e[0] > 0 else e for e in (e_K, e_L)]
    return RankPath(values, bound, np.array(shares), statistic, kernels, n)
