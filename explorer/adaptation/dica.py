"""Domain-invariant components: directions along which several domains differ little, and y depends on x."""

from __future__ import annotations

from typing import Self

import numpy as np
import scipy.linalg

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.frames import names_of
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.kernels.base import kernel_field
from explorer.learner import Transformer
from explorer.linalg import Ridge, eigh_psd
from explorer.operators.centring import Centre
from explorer.operators.principal import fix_signs
from explorer.parameters import LogNumber, Real, Whole
from explorer.printing import plural
from explorer.types import Gram, Labels, Matrix, PointsLike, Vector, VectorLike

from .inputs import MOST, DomainLearner, check_classes, check_labels
from .variance import deviations

RANK = 1e-12  # eigenvalues below this share of the Gram matrix's largest one are rounding


class DICA(DomainLearner, Transformer):
    r"""Components along which several domains differ little, while the points vary much, or depend on y.

    Use it to find features that carry over to domains that were not seen. For points of one domain use `KernelPCA`.

    Parameters
    ----------
    kernel : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all points.
    n_components : int, default 2
        Number r of components. If fewer exist, fewer are computed, with a warning.
    lam : float, default 0.0
        Regulariser λ >= 0, in squared units of k.
    eps : float, default 1e-3
        Regulariser ε > 0 of the regression on y, in units of y's kernel; unused without y.

    Attributes
    ----------
    kernel_ : Kernel
        The chosen kernel.
    X_ : ndarray of shape (n, d)
        The points.
    centre_ : Embedding
        The kernel mean of the points, which is subtracted.
    domains_ : ndarray of shape (N,)
        The domains, sorted.
    kernel_y_ : Kernel or None
        Kernel of y, None without y: Delta() for words and few whole numbers, Gaussian() for numbers.
    components_ : ndarray of shape (n, r)
        Coefficients b, each of the function Σ_i b_i φ~(x_i) of norm 1, its largest entry above 0.
    ratios_ : ndarray of shape (r,)
        b'KPKb / b'(KQK + K + λI)b, falling; for one domain the eigenvalues of KernelPCA.
    variance_ : float
        Distributional variance of the domains.
    variances_ : ndarray of shape (r,)
        Distributional variance of the domains along each component.
    remark_ : str
        The warning, or empty.

    Notes
    -----
    With K the centred Gram matrix of all points, the components b have large

    .. math:: b^\top K P K b \quad\text{for}\quad b^\top (K Q K + K + \lambda I)\, b = 1.

    P is (1/n) I without y: the numerator is the variance of the points. With y it is (1/n) L(L + nεI)^-1, L the Gram
    matrix of y: the variance that y explains, so that directions on which y depends stay. tr(b'KQKb) is the
    distributional variance of the domains along b, with Q as in V = tr(KQ).

    The numerator (1/n) K L(L + nεI)^-1 K is symmetric; the often printed L(L + nεI)^-1 K² is not. The term K keeps
    components from hiding between points. It makes the answer depend on the size of k: under `a * kernel` the domains'
    differences count a times as much relative to it.

    With one domain and λ = 0 this is kernel PCA, and with y covariance operator inverse regression: the ratios are then
    the eigenvalues of P K (Kim, Pavlovic 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33, 657). With two domains and
    without y, as a grows, DICA(a * kernel, lam=a**2 * mu / 4) is transfer component analysis, of the centred kernel and
    its regulariser mu (Pan et al. 2011, IEEE Trans. Neural Netw. 22, 199): the term K vanishes relative to the others,
    and Q is a quarter of that method's matrix.

    The cost is O(n³).

    References
    ----------
    Muandet, Balduzzi and Schölkopf 2013 (Int. Conf. Mach. Learn., 10), algorithm 1.

    Wikipedia, Kernel embedding of distributions, section on domain generalization.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import DICA, Linear
    >>> rng = np.random.default_rng(0)
    >>> domains = np.repeat([0, 1, 2], 50)
    >>> signal, nuisance = rng.normal(size=150), 9.0 * domains + rng.normal(size=150)
    >>> X = np.column_stack([nuisance, signal])
    >>> scores = DICA(100.0 * Linear(), n_components=1).fit(X, domains).transform(X)
    >>> bool(abs(np.corrcoef(scores[:, 0], signal)[0, 1]) > 0.99)
    True
    """

    kernel: Kernel | None = kernel_field()
    n_components: int = Whole(
        default=2, bounds=(1, None), softbounds=(1, 20), symbol="r", doc="how many components are kept at most"
    )
    lam: float = Real(
        default=0.0,
        bounds=(0, None),
        softbounds=(0, 10),
        symbol="λ",
        unit="squared units of k",
        doc="how much the coefficients are shrunk to 0",
    )
    eps: float = LogNumber(
        default=1e-3,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(1e-6, 1),
        symbol="ε",
        unit="units of y's kernel",
        doc="how much the regression on y is shrunk to 0",
    )

    def fit(
        self, X: PointsLike, domains: PointsLike, y: PointsLike | None = None, weights: VectorLike | None = None
    ) -> Self:
        """Learn from points of several domains, and from labels or values y if they are known.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.
        domains : array_like of shape (n,)
            Domain of each point.
        y : array_like of shape (n,) or (n, e), or None, default None
            Labels or values.
        weights : array_like of shape (n,) or None, default None
            How often each row counts. Whole numbers act as repeated rows, and a row of weight 0 is left out.

        Returns
        -------
        DICA
            The fitted object itself.

        Raises
        ------
        ValueError
            If X, domains and y do not have equally many rows, or if all points are equal.

        Warns
        -----
        ExplorerWarning
            If there are fewer components than `n_components`.
        """
        return self.learn(X, domains, y, weights)._with_warnings()

    def learn(
        self, X: PointsLike, domains: PointsLike, y: PointsLike | None = None, weights: VectorLike | None = None
    ) -> Self:
        """Learn as `fit` does, from the same arguments, but leave the warning in `remark_`.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.
        domains : array_like of shape (n,)
            Domain of each point.
        y : array_like of shape (n,) or (n, e), or None, default None
            Labels or values.
        weights : array_like of shape (n,) or None, default None
            How often each row counts.

        Returns
        -------
        DICA
            The fitted object itself.
        """
        kernel = self.kernel or Gaussian()
        names, X = names_of(X), checks.read_only(kernel.points(X, "X", 2))
        n = len(X)
        if n > MOST:
            raise Refusal(
                f"X has {plural(n, 'row')}, whose Gram matrix is too large; give at most {MOST:,}, as thin(X,"
                " m).points."
            )
        checks.warn_of_lost_digits(X, "X", names)
        copies = np.ones(n) if weights is None else checks.counts(weights, n)
        included = np.flatnonzero(copies)
        X, copies, counts = X[included], copies[included], None if weights is None else copies[included]
        of = check_classes(domains, n, "domains", included)
        known = None if y is None else check_labels(None, y, n, included=included, counts=counts)
        n = len(X)
        if (X == X[0]).all():
            raise Refusal(f"all {n} points of X are equal, so nothing varies; give points that do.")
        self.X_ = checks.read_only(X)
        self.kernel_: Kernel = select(kernel, X, "points", counts)
        self.domains_: Labels = checks.read_only(of.values[:, 0] if of.values.shape[1] == 1 else of.values)
        self.kernel_y_: Kernel | None = None if known is None else known.kernel
        self.centre_: Embedding = Embedding(self.kernel_, X, copies / copies.sum()).over(names)
        K, size = Centre(self.centre_).gram(X)
        root = np.sqrt(copies)[:, None]  # K takes the root of the number of rows that a point represents on each side
        K = root * K * root.T
        gamma, U = eigh_psd((K + K.T) / 2)
        real = gamma > max(RANK * gamma[-1], n * np.finfo(float).eps * size)
        if not real.any():
            raise Refusal(
                f"under {checks.echo(self.kernel_)} the points of X do not vary beyond rounding; take another"
                " bandwidth, or points that vary more."
            )
        F = U[:, real] * np.sqrt(gamma[real])
        self._solve(F, gamma[real], deviations(of.of_point, copies) / root, self._explained(known, root), root)
        return self

    def _explained(self, known, root):
        """Return the map F -> P F for features F (n, r) of points, times the roots of their numbers of rows."""
        n = float((root**2).sum())
        if known is None:
            return lambda F: F / n
        L = root * known.kernel(known.values)[known.of_point][:, known.of_point] * root.T
        ridge = Ridge(L, n * self.eps)
        return lambda F: L @ ridge(F) / n

    def _solve(self, F, gamma, W, explained, root):
        """Solve for the components in coordinates with F F' = K.

        There v = F'b, whose shortest b is F diag(1/γ) v, so that b'b = v'diag(1/γ)v.
        """
        spread = F.T @ W / np.sqrt(W.shape[1])  # deviations of the domains' means: F'QF = spread spread'
        A = F.T @ explained(F)
        M = spread @ spread.T + np.eye(len(gamma)) + np.diag(self.lam / gamma)
        r = min(self.n_components, len(gamma))
        ratios, V = scipy.linalg.eigh((A + A.T) / 2, M, subset_by_index=(len(gamma) - r, len(gamma) - 1))
        ratios, V = ratios[::-1], V[:, ::-1]
        real = ratios > RANK * max(float(ratios[0]), 0.0)
        ratios, V = ratios[real], V[:, real] / np.linalg.norm(V[:, real], axis=0)
        few = f"n_components={self.n_components}, and {len(F)} points under these kernels have {len(ratios)}"
        self.remark_: str = f"{few}: as many components were taken." if len(ratios) < self.n_components else ""
        b = root * (F @ (V / gamma[:, None]))
        self.components_: Matrix = checks.read_only(fix_signs(b, root[:, 0] ** 2))
        self.ratios_: Vector = checks.read_only(ratios)
        self.variances_: Vector = checks.read_only(((V.T @ spread) ** 2).sum(axis=1))
        self.variance_: float = float((spread**2).sum())

    def fit_transform(
        self, X: PointsLike, domains: PointsLike, y: PointsLike | None = None, weights: VectorLike | None = None
    ) -> Gram:
        """Learn from the points and return the components' values at them.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.
        domains : array_like of shape (n,)
            Domain of each point.
        y : array_like of shape (n,) or (n, e), or None, default None
            Labels or values.
        weights : array_like of shape (n,) or None, default None
            How often each row counts.

        Returns
        -------
        ndarray of shape (n, r)
            Values of the components.
        """
        return self.fit(X, domains, y, weights).transform(X)

    def transform(self, Z: PointsLike) -> Gram:
        """Return the components' values <φ(z_j) - centre, v_k> at points of any domain.

        Parameters
        ----------
        Z : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (m, r)
            Values of the components.
        """
        fitted = self._fitted()
        Z = fitted.kernel_.points(Z, "Z")
        checks.same_dimension(Z, fitted.X_, ("Z", "the sample"))
        centre = Centre(fitted.centre_)
        return centre.between(Z, centre, fitted.X_) @ fitted.components_

    @property
    def _n_outputs(self):
        return len(self.ratios_)

    def component(self, k: int = 0) -> Embedding:
        """Return the component v_k, an Embedding of norm 1.

        Parameters
        ----------
        k : int, default 0
            Number of the component, counted from 0.

        Returns
        -------
        Embedding
            The component.

        Raises
        ------
        ValueError
            If there is no such component.
        """
        fitted, r = self._fitted(), len(self.ratios_)
        if checks.whole(k, "k") >= r:
            raise Refusal(f"k must be below {r}, the number of components, not {k}.")
        b = fitted.components_[:, k]
        return (Embedding(fitted.kernel_, fitted.X_, b) - float(b.sum()) * fitted.centre_).over(fitted._names())

    def _sentence(self):
        if not hasattr(self, "ratios_"):
            return super()._sentence()
        r, N = len(self.ratios_), len(self.domains_)
        return (
            f"{r} {'component' if r == 1 else 'components'} of {len(self.X_)} points of {N}"
            f" {'domain' if N == 1 else 'domains'}, whose distributional variance is {self.variance_:.3g}."
        )
