"""The central value type: a signed mixture of Gaussians and point masses under a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, WrongType
from explorer.execution.processors import limit_threads_of_methods
from explorer.kernels import Kernel
from explorer.kernels.base import POINT_MASSES
from explorer.model import freeze
from explorer.printing import Written, brief_call, call, model_text, short_repr, truncate
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.svg import inline_pictures
from explorer.tables import html_tables
from explorer.tables.alignment import aligned
from explorer.types import Covariances, Matrix, MatrixLike, Points, PointsLike, Vector, VectorLike, Weights

from .blocks import Block, merge_blocks
from .forms import form, gradient_at, values_at
from .vectors import Vectors


@limit_threads_of_methods
class Embedding(Vectors, Written):
    r"""Kernel mean of a sample or a distribution: a signed mixture of Gaussians and point masses under a kernel.

    Use it to add, subtract and compare kernel means of one kernel. Estimators make it of a sample, and distributions by
    `embed`: the constructor is for weights of your own.

    .. math:: e = \sum_i w_i \, E \, k(x_i + u_i, \cdot), \quad u_i \sim N(0, C_i)

    Parameters
    ----------
    kernel : Kernel
        The kernel; an automatic bandwidth is chosen on `points`.
    points : array_like of shape (n, d)
        The points x_i, of any kind that the kernel takes.
    weights : array_like of shape (n,)
        The weights w_i, of any sign and any sum.
    covariance : array_like or None, default None
        The covariances C_i, in squared units of the points: None (point masses), a variance, (d,) variances, (d, d) or
        (n, d, d).

    Attributes
    ----------
    blocks : tuple of Block
        The points, sorted into blocks that share one covariance.
    columns : tuple of str or None
        Names of the columns, if the points were a DataFrame.

    Raises
    ------
    ValueError
        If two embeddings that are combined have different kernels.

    Notes
    -----
    Embeddings of one kernel form a vector space: e + f, e - f, a * e, e / a, -e, sum([e, f]). Distances are RKHS
    distances, not squared. An embedding is immutable. The result of a low-rank method knows its `error`.

    An embedding of a DataFrame knows its `columns`. It takes the values at another DataFrame by their names, and
    combines only with embeddings of the same columns in the same order. The names are no part of `key` and of ==.

    Examples
    --------
    >>> from explorer import Embedding, Gaussian
    >>> e = Embedding(Gaussian(1.0), [[0.0], [2.0]], [0.5, 0.5])
    >>> f = Embedding(Gaussian(1.0), [[1.0]], [1.0])
    >>> round(e.distance(f), 4)
    0.5955
    >>> (0.5 * e - f)([[1.0]]).round(4)
    array([-0.6967])
    """

    __slots__ = ("_error", "blocks", "columns", "kernel")
    kernel: Kernel
    blocks: tuple[Block, ...]
    columns: tuple[str, ...] | None
    _error: float | Callable[[], float] | None

    @explain_wrong_calls
    @aligned("points weights")
    def __init__(
        self, kernel: Kernel, points: PointsLike, weights: VectorLike, covariance: MatrixLike | None = None
    ) -> None:
        columns = frames.names_of(points)
        points = kernel.points(points, "points")
        weights = checks.weights(weights, len(points))
        kernel = kernel.select(points)
        covariance = None if covariance is None else checks.numbers(covariance, "covariance")
        if covariance is not None and covariance.ndim == 3:
            if len(covariance) != len(points):
                raise Refusal(f"covariance holds {len(covariance)} matrices for {len(points)} points; give one each.")
            # consecutive points of equal covariance share a block
            changes = np.flatnonzero((covariance[1:] != covariance[:-1]).any(axis=(1, 2))) + 1
            runs = (np.split(a, changes) for a in (points, weights, covariance))
            parts = [(x, w, C[0]) for x, w, C in zip(*runs, strict=True)]
        else:
            parts = [(points, weights, covariance)]
        self._fill(kernel, tuple(Block.of(*part) for part in parts), None, columns)

    def _fill(self, kernel, blocks, error=None, columns=None):
        object.__setattr__(self, "kernel", kernel)
        object.__setattr__(self, "blocks", blocks)
        object.__setattr__(self, "_error", error)
        object.__setattr__(self, "columns", columns)

    @classmethod
    def _of(cls, kernel, blocks, error=None, columns=None):
        embedding = object.__new__(cls)
        embedding._fill(kernel, merge_blocks(blocks), error, columns)
        return embedding

    def approximating(self, error: float | Callable[[], float]) -> Embedding:
        """Return this embedding as an approximation of another one, with its `error`.

        Parameters
        ----------
        error : float or callable
            The error, or a function without arguments that measures it.

        Returns
        -------
        Embedding
            The same element with its error.
        """
        return Embedding._of(self.kernel, self.blocks, error, self.columns)

    def over(self, columns: tuple[str, ...] | None) -> Embedding:
        """Return this embedding with names for the coordinates of its points.

        Parameters
        ----------
        columns : tuple of str or None
            The names.

        Returns
        -------
        Embedding
            The same element with the names.
        """
        return Embedding._of(self.kernel, self.blocks, self._error, columns)

    @property
    def error(self) -> float | None:
        """The distance from the embedding that this one approximates; None if nothing was approximated.

        It is an RKHS distance, or the error as the method that produced the embedding defines it. Sums and multiples
        carry it: errors add. It is measured when it is first read, and is no part of `key`, of ==, or of the printed
        form.
        """
        error = self._error
        if callable(error):
            error = float(error())
            object.__setattr__(self, "_error", error)
        return error

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise TypeError("an Embedding does not change; make a new one: e + f, a * e or Embedding(...).")

    @property
    def points(self) -> Points:
        """All points, shape (n, d)."""
        return checks.read_only(np.concatenate([b.points for b in self.blocks]))

    @property
    def weights(self) -> Weights:
        """All weights, shape (n,)."""
        return checks.read_only(np.concatenate([b.weights for b in self.blocks]))

    @property
    def covariance(self) -> Covariances | None:
        """The covariances of the points, shape (n, d, d), or None if all are point masses."""
        if all(b.covariance is None for b in self.blocks):
            return None
        d = self.blocks[0].points.shape[1]
        C = [
            np.broadcast_to(np.zeros((d, d)) if b.covariance is None else b.covariance, (len(b.points), d, d))
            for b in self.blocks
        ]
        return checks.read_only(np.concatenate(C))

    def __call__(self, Y: PointsLike) -> Vector:
        """Compute the function's values at Y, (m,): <e, k(y_j, .)>."""
        Y = frames.in_order(Y, self.columns, ("Y", "the embedding"))
        return values_at(self.kernel, self.blocks, self.kernel.points(Y, "Y"))

    def gradient(self, Y: PointsLike) -> Matrix:
        """Compute the function's gradient, Σ_i w_i ∇_y E k(x_i + u_i, y_j).

        Parameters
        ----------
        Y : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (m, d)
            The gradients.

        Raises
        ------
        ValueError
            If the kernel has no gradient.
        """
        Y = frames.in_order(Y, self.columns, ("Y", "the embedding"))
        points = self.kernel.points(Y, "Y")
        checks.same_dimension(points, self.blocks[0].points, ("Y", "the embedding"))
        return gradient_at(self.kernel, self.blocks, points)

    def mean(self) -> Vector:
        """Compute Σ_i w_i x_i, the mean of the points if the weights sum to one.

        Returns
        -------
        ndarray of shape (d,)
            The mean.

        Raises
        ------
        ValueError
            If the points are words.
        """
        X = self.points
        if X.dtype.kind not in "iuf":
            raise Refusal("the points are words, which have no mean; take the embedding's values at the words instead.")
        return self.weights @ X

    def density(self, Y: PointsLike) -> Vector:
        """Compute e(y) / ∫ k(x, .) per volume: the signed mixture, blurred by the kernel, of mass Σ w.

        Parameters
        ----------
        Y : array_like of shape (m, d)
            Points.

        Returns
        -------
        ndarray of shape (m,)
            The values. They are a density if no weight is negative and the weights sum to one, and under Delta the
            table of probabilities.

        Raises
        ------
        ValueError
            If the kernel's integral is infinite or depends on x. Gaussian, Laplacian and Delta have one.
        """
        mass = self.kernel.log_mass(self.blocks[0].points.shape[1])
        if mass is None:
            raise Refusal(
                f"{checks.echo(self.kernel)} has no integral that is finite and the same everywhere, so this embedding"
                " is no density; embed with Gaussian(), Laplacian() or, for categories, Delta()."
            )
        values = self(Y)
        with np.errstate(divide="ignore", over="ignore"):  # in many dimensions the integral may be no float
            return np.sign(values) * np.exp(np.log(np.abs(values)) - mass)

    def map(self, f: Callable[[Points], PointsLike], kernel: Kernel | None = None) -> Embedding:
        """Embed a function of the random variable, Σ_i w_i k(f(x_i), .): points are moved, weights are kept.

        Parameters
        ----------
        f : callable
            Takes all points (n, d) at once and returns as many finite rows, (n,) or (n, e).
        kernel : Kernel or None, default None
            Kernel of f's values, with an automatic bandwidth chosen on them; None keeps this embedding's.

        Returns
        -------
        Embedding
            The embedding of f's values. An `error` is about the original points, so it is not kept.

        Raises
        ------
        ValueError
            If points carry Gaussian noise, which f would not map to Gaussian noise.

        Notes
        -----
        Consistent for continuous f if the embedding is and the sum of its weights' magnitudes is bounded:
        Simon-Gabriel, Ścibior, Tolstikhin, Schölkopf 2016 (NeurIPS), theorem 1.
        """
        if not callable(f):
            raise WrongType(f"f is {checks.echo(f)}; give a function of all points at once, such as numpy.square.")
        if self.covariance is not None:
            raise Refusal(
                "the points carry Gaussian noise, which a function does not map to Gaussian noise; map the embedding by"
                f" {POINT_MASSES}."
            )
        X = self.points
        kernel = self.kernel if kernel is None else kernel
        return Embedding(kernel, _checked_values(f(X), X), self.weights)

    def inner(self, other: Embedding) -> float:
        """Compute the inner product <e, f> = sum_ij w_i v_j E k(x_i + u_i, y_j + v_j).

        Parameters
        ----------
        other : Embedding
            The other embedding f, of the same kernel.

        Returns
        -------
        float
            The inner product.
        """
        return self._form(other)[0]

    def _form(self, other):
        """Compute the inner product and the sum of its terms' magnitudes, the scale of rounding errors."""
        self._check_kernel(other)
        return form(self.kernel, self.blocks, other.blocks)

    def norm(self) -> float:
        """Compute the RKHS norm sqrt(<e, e>).

        Returns
        -------
        float
            The norm.

        Raises
        ------
        ValueError
            If the kernel is not positive semi-definite.
        """
        square, size = self._form(self)
        # a sum of n^2 terms is exact to a small multiple of eps times their magnitudes; if it is further below zero,
        # that is not rounding
        if square < -1e-10 * size:
            raise Refusal(
                f"<e, e> = {square:.3g} is negative: {checks.echo(self.kernel)} is not positive semi-definite."
            )
        return max(square, 0.0) ** 0.5

    def distance(self, other: Embedding) -> float:
        """Compute the RKHS distance ``|e - f|``, not squared; for two probability distributions it is their MMD.

        Parameters
        ----------
        other : Embedding
            The other embedding f, of the same kernel.

        Returns
        -------
        float
            The distance.
        """
        return (self - other).norm()

    def _sum(self, other):
        self._check_kernel(other)
        blocks, columns = (*self.blocks, *other.blocks), self.columns or other.columns
        return Embedding._of(self.kernel, blocks, _sum_errors(self, other), columns)

    def _reweighted(self, change, what, size):
        """Change every weight, and the size of the embedding with it; raise ValueError if a weight is not a float."""
        with np.errstate(over="ignore"):
            weights = [change(b.weights) for b in self.blocks]
        if not all(np.isfinite(w).all() for w in weights):
            raise Refusal(f"an Embedding {what} has weights that are too large for a float; take a number nearer to 1.")
        blocks = (b._replace(weights=checks.read_only(w)) for b, w in zip(self.blocks, weights, strict=True))
        error = None if self._error is None else lambda: size * _error_of(self)
        return Embedding._of(self.kernel, blocks, error, self.columns)

    def _check_kernel(self, other):
        if not isinstance(other, Embedding):
            raise TypeError(f"an Embedding is needed, not {type(other).__name__}; embed it first.")
        if self.kernel != other.kernel:
            raise Refusal(
                f"the embeddings have different kernels, {checks.echo(self.kernel)} and {checks.echo(other.kernel)}; "
                "choose one for both: k = k.select(np.concatenate([X, Y]))."
            )
        if self.blocks[0].points.shape[1] != other.blocks[0].points.shape[1]:
            checks.same_dimension(self.blocks[0].points, other.blocks[0].points, ("one embedding", "the other"))
        if self.columns and other.columns and self.columns != other.columns:
            ours, theirs = (checks.join_list(map(checks.echo, each.columns or ())) for each in (self, other))
            raise Refusal(
                f"one embedding is of the columns {ours} and the other of {theirs}; embed both tables with the same"
                f" columns in one order, as by df[{list(self.columns)!r:.200}]."
            )

    @property
    def key(self) -> tuple[Any, ...]:
        """An immutable nested tuple that determines the embedding."""
        return ("Embedding", self.kernel.key, freeze(self.blocks))

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Embedding) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.kernel, [tuple(b) for b in self.blocks], self.error, self.columns)

    def __str__(self) -> str:
        total = sum(float(b.weights.sum()) for b in self.blocks)
        return f"An embedding of {self._size()} under {model_text(self.kernel)}; its weights sum to {total:.4g}."

    def _size(self):
        n, first = sum(len(b.points) for b in self.blocks), self.blocks[0].points
        count, d = "1 point" if n == 1 else f"{n} points", first.shape[1]
        if first.dtype.kind not in "iuf":
            return count
        return f"{count} in {d} {'dimension' if d == 1 else 'dimensions'}"

    def _block_parts(self, block):
        parts = zip(("points", "weights", "covariance"), block, strict=True)
        return [("kernel", self.kernel), *((field, part) for field, part in parts if part is not None)]

    def _code(self):
        return " + ".join(call("Embedding", self._block_parts(block)) for block in self.blocks)

    def _brief(self, most):
        if len(self.blocks) == 1:
            return brief_call("Embedding", self._block_parts(self.blocks[0]), most)
        if 2 * sum(b.points.size for b in self.blocks) <= most and len(full := self._code()) <= most:
            return full
        return truncate(
            f"Embedding(kernel={short_repr(self.kernel)}, blocks=<{len(self.blocks)} of {self._size()}>)", most
        )

    def _picture(self):
        X, w = self.points, self.weights
        if X.dtype.kind in "iuf" and X.shape[1] <= 2:
            return inline_pictures.points(X, w, str(self))
        heavy = np.argsort(-np.abs(w), kind="stable")
        head = ("weight", *(self.columns or [f"x{j}" for j in range(1, X.shape[1] + 1)]))
        return html_tables.table(head, [(float(w[i]), *X[i].tolist()) for i in heavy])


def _checked_values(values, X):
    """Return the values of a function at the points X (n, d); refuse any that are not one finite row a point."""
    values = checks.as_array(values, "f(points)")
    if values.ndim not in (1, 2) or len(values) != len(X):
        raise Refusal(
            f"f gives values of shape {values.shape} at {len(X)} points; give one row for each, ({len(X)},) or"
            f" ({len(X)}, e)."
        )
    if values.dtype.kind == "f" and (lost := ~np.isfinite(values.reshape(len(X), -1)).all(axis=1)).any():
        first = truncate(checks.echo(X[int(np.argmax(lost))].tolist()), 60)
        raise Refusal(
            f"f is NaN or infinite at {lost.sum()} of {len(X)} points, the first {first}; give a function that is"
            " finite at each, or embed without these points."
        )
    return values


def _sum_errors(e, f):
    """Return the error of e + f, by the triangle inequality, or None if neither has one."""
    return None if e._error is None and f._error is None else lambda: _error_of(e) + _error_of(f)


def _error_of(embedding):
    return embedding.error or 0.0


def _rebuild(kernel, blocks, error=None, columns=None):
    embedding = object.__new__(Embedding)
    arrays: list[Any] = [[None if a is None else checks.read_only(a) for a in b] for b in blocks]
    blocks = tuple(Block(*each) for each in arrays)
    embedding._fill(kernel, blocks, error, columns)
    return embedding
