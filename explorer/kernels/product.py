"""Product kernel on a table whose columns differ in kind: one factor for each group of columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.printing import plural
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Vector

from .algebra import KernelSum
from .base import Kernel, PairedPoints
from .factors import FactorField, Factors, block, cells_of, listed, text_table


class Product(Kernel):
    r"""Product of kernels over groups of a table's columns, each group under its own kernel.

    Use it for tables with columns of several types. The product of kernels at the same points is `k * l`.

    .. math:: k(x, y) = \prod_c k_c(x_c, y_c)

    Parameters
    ----------
    factors : dict
        ``{column number or tuple of column numbers: kernel}``, such as ``{(0, 1): Gaussian(), 2: Delta()}``; no column
        twice. Columns that no factor names are not compared; everything below is about the columns that are named.

    Raises
    ------
    ValueError
        If a column is named twice.
    TypeError
        If a value is not a kernel, or a key is not a column number.

    Notes
    -----
    Points are the rows of a table (n, d): numbers, or numbers and words as an array of objects or of text. A table with
    words is stored as text, its numbers as their repr, which float reads back exactly, so that tables can be joined,
    permuted and compared. An automatic bandwidth is chosen on the columns of its own factor, in their units.

    Bounded if all factors are. Universal if all are, and then characteristic; factors that are only characteristic do
    not make a characteristic product (Szabó and Sriperumbudur 2018, J. Mach. Learn. Res. 18(233)). Its growth is the
    sum of theirs.

    Examples
    --------
    >>> from explorer import Delta, Gaussian, Product
    >>> kernel = Product({0: Gaussian(1.0), 1: Delta()})
    >>> kernel([[0.0, 1], [1.0, 1], [1.0, 2]])[0].round(4)
    array([1.    , 0.6065, 0.    ])
    """

    text = True
    space = "tables"
    factors: ConvertedField[Mapping[int | tuple[int, ...], Kernel], Factors] = FactorField(
        doc="the kernel of each group of columns, {column number or tuple of column numbers: kernel}"
    )

    @property
    def bounded(self) -> bool:
        return all(kernel.bounded for _, kernel in self.factors)

    @property
    def universal(self) -> bool:
        return all(kernel.universal for _, kernel in self.factors)

    @property
    def characteristic(self) -> bool:
        return self.universal or (len(self.factors) == 1 and self.factors[0][1].characteristic)

    @property
    def growth(self) -> int:
        return sum(kernel.growth for _, kernel in self.factors)

    @property
    def zeros(self) -> float:
        return 0 if all(kernel.zeros == 0 for _, kernel in self.factors) else math.inf

    @property
    def has_constants(self) -> bool:
        return all(kernel.has_constants for _, kernel in self.factors)

    @property
    def length_scale(self) -> float | None:
        """The shortest length scale of the factors; None if they have none."""
        lengths = (kernel.length_scale for _, kernel in self.factors)
        return min((length for length in lengths if length is not None), default=None)

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        """Check rows of a table and return them, as float64 if they are numbers only, else as text.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The table.
        name : str, default "X"
            Name of the argument in error messages.
        at_least : int, default 1
            Smallest number of rows.

        Returns
        -------
        ndarray of shape (n, d)
            The rows.
        """
        table = text_table(X, name)
        table = checks.sample(X, name) if table is None else table
        checks.rows(table, name, at_least)
        last = max(max(columns) for columns, _ in self.factors)
        if last >= table.shape[1]:
            raise Refusal(
                f"{name} has {plural(table.shape[1], 'column')}, and {self!r} names column {last}, counted from 0."
            )
        self._by_factor(table, name)  # each factor refuses values that it cannot compare
        return table

    def _by_factor(self, X, name="X"):
        """Return (kernel, its points (n, d_c)) for each factor."""
        return [(kernel, cells_of(X, columns, kernel, name)) for columns, kernel in self.factors]

    def _pairs_of_parts(self, X, Y):
        """Return (kernel, its points of X, its points of Y or None) for each factor."""
        others = [(None, None)] * len(self.factors) if Y is None else self._by_factor(Y, "Y")
        return [(kernel, A, B) for (kernel, A), (_, B) in zip(self._by_factor(X), others, strict=True)]

    def _with(self, kernels):
        return Product({columns: kernel for (columns, _), kernel in zip(self.factors, kernels, strict=True)})

    def select(self, X: PointsLike) -> Product:
        return self._with([kernel.select(part) for kernel, part in self._by_factor(self.points(X))])

    def chosen(self) -> Product:
        return self._with([kernel.chosen() for _, kernel in self.factors])

    def pairs(self, X: Points, Y: Points | None = None) -> PairedPoints:
        """Compute what each factor needs of its columns.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Rows.
        Y : ndarray of shape (m, d) or None, default None
            Other rows; None stands for X.

        Returns
        -------
        PairedPoints
            One entry of shape (n, m) for each factor.
        """
        return PairedPoints(kernel.pairs(A, B) for kernel, A, B in self._pairs_of_parts(X, Y))

    def of_pairs(self, S: PairedPoints) -> Matrix:
        return _product(kernel.of_pairs(part) for (_, kernel), part in zip(self.factors, S, strict=True))

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        X, Y = self._two(X, Y)
        kernel = self.select(X if Y is None else np.concatenate([X, Y]))
        return _product(factor(A, B) for factor, A, B in kernel._pairs_of_parts(X, Y))

    def diagonal(self, X: PointsLike) -> Vector:
        return _product(kernel.diagonal(part) for kernel, part in self._by_factor(self.points(X)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute Π_c E k_c(x_c + u_c, y_c + v_c), exact for noise u ~ N(0, C), v ~ N(0, D) that couples no factors.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Raises
        ------
        ValueError
            If noise couples factors other than these, or moves a column whose factor has no closed form, such as Delta.

        Notes
        -----
        Gaussian factors may be coupled, and sums of them: a product of Gaussians is one Gaussian, of coordinates
        divided by their bandwidths.
        """
        if C is None and D is None:
            return self(X, Y)
        X, Y = self._two(X, Y)
        terms = self.chosen()._terms_of_coupled(C, D)
        if terms is not None:
            return sum((a * term.expected(X, C, Y, D) for a, term in terms), np.zeros(()))
        joint, single = self.chosen()._coupled(C, D)
        values = []
        for columns, kernel in single:
            A, B = cells_of(X, columns, kernel, "X"), cells_of(Y, columns, kernel, "Y")
            values.append(kernel.expected(A, block(C, columns), B, block(D, columns)))
        if joint:
            kernel = joint[0][1].joint
            values.append(kernel.expected(*_in_bandwidths(joint, X, C), *_in_bandwidths(joint, Y, D)))
        return _product(values)

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        X = self.points(X)
        terms = self._terms_of_coupled(C, None)
        if terms is not None:
            return sum((a * term.expected_diagonal(X, C) for a, term in terms), np.zeros(()))
        self._coupled(C, None)  # coupled Gaussian factors are 1 at (x, x) whatever the noise
        parts = ((columns, kernel, cells_of(X, columns, kernel, "X")) for columns, kernel in self.factors)
        return _product(kernel.expected_diagonal(part, block(C, columns)) for columns, kernel, part in parts)

    def _split(self, C, D):
        """Return the factors that noise couples, and the independent ones."""
        noise = sum((np.abs(S) for S in (C, D) if S is not None), np.zeros(()))
        every = [column for columns, _ in self.factors for column in columns]
        joint, single = [], []
        for columns, kernel in self.factors:
            others = [column for column in every if column not in columns]
            coupled = np.any(noise) and noise[np.ix_(columns, others)].any()
            (joint if coupled else single).append((columns, kernel))
        return joint, single

    def _terms_of_coupled(self, C, D):
        """Return pairs (weight, Product) that sum to this kernel if noise couples a factor that is a sum, else None."""
        for columns, kernel in self._split(C, D)[0]:
            if isinstance(kernel, KernelSum):
                return [(a, Product({**dict(self.factors), columns: term})) for a, term in kernel.terms]
        return None

    def _coupled(self, C, D):
        """Return the Gaussian factors that noise couples and the independent ones; refuse noise that couples others."""
        joint, single = self._split(C, D)
        for columns, kernel in joint:
            if kernel.joint is None or kernel.joint != joint[0][1].joint:
                raise Refusal(
                    f"{self!r} has no closed form for noise that couples column {listed(columns)} to another factor's: "
                    f"that of {kernel!r} must be independent. Give a covariance of blocks, one for each factor."
                )
        return joint, single


def _in_bandwidths(factors, X, C):
    """Divide the points and covariance of Gaussian factors by the bandwidths."""
    columns = [column for each, _ in factors for column in each]
    theta = np.concatenate([kernel.lengths(len(each)) for each, kernel in factors])
    points = np.hstack([cells_of(X, each, kernel, "X") for each, kernel in factors]) / theta
    S = block(C, columns)
    return points, None if S is None else S / np.outer(theta, theta)


def _product(values):
    return reduce(np.multiply, values)
