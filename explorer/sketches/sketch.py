"""The kernel mean of many rows as a summary that one keeps: made of pieces, added, taken off, saved and compared."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import Any, Self

from explorer.datasets.files import pipes
from explorer.embeddings.feature_sums import FeatureSums
from explorer.kernels import Kernel
from explorer.processors import limit_threads_of_methods
from explorer.synonyms import explain_wrong_calls
from explorer.types import Missing

from . import sketch_file
from .parallel_sum import summed


@limit_threads_of_methods
class Sketch(FeatureSums):
    """The kernel mean of n rows by `features` random features, without the rows: some MB, whatever n is.

        mean = (1/n) Σ_i φ(x_i),   φ(x) = √(1/J) (cos <ω_j, x>, sin <ω_j, x>),   J = features / 2

    kernel    Gaussian(θ) or Laplacian(θ) with its bandwidth given: a sketch has no rows to choose one on
    features  an even number; `mmd2_error` is the standard error of MMD² by them, `error` that of one sketch's squared
              norm. Both fall as √(1/features); of MMD² it may be several times that share
    rng       a whole number, the seed of the waves ω; sketches are added and compared where all three agree

    s + t holds the rows of both, s - t those of s that are not t's: a window is a difference. Features are summed as
    whole numbers, rounded to 2^-30, so the same rows give the same bits in any order and any pieces, and (s + t) - t is
    s. `mmd2` and `mmd_test` compare two sketches; `embed` gives what takes an Embedding one. Rahimi and Recht 2007
    (NIPS 20).

    Raises ValueError for a kernel without a bandwidth or without such waves, for sketches of different features, and
    for more than 2^31 rows or fewer than none.

    >>> import numpy as np
    >>> from explorer import Gaussian, Sketch
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> monday, tuesday = Sketch(Gaussian(1.0)).update(X[:400]), Sketch(Gaussian(1.0)).update(X[400:])
    >>> (monday + tuesday).n, (monday + tuesday) - tuesday == monday
    (1000, True)
    >>> round(monday.mmd2(tuesday), 4)
    -0.0007
    """

    @classmethod
    @explain_wrong_calls
    def of(
        cls,
        source: Any,
        kernel: Kernel,
        features: int = 1000,
        rng: int = 0,
        *,
        columns: Sequence[str] | None = None,
        missing: Missing = "refuse",
        executor: Executor | None = None,
    ) -> Self:
        """The sketch of all rows of a source, which is read piece by piece: in memory a piece at a time.

        source    the path of a file, such as CSV or Parquet, a folder of them, or a list of either, read as a lenient
                  `read_table` reads one, "-" for standard input; an array or DataFrame; a dask array or DataFrame;
                  an iterable of arrays or DataFrames
        columns   of numbers, by name, in this order; None is all of them, the same in every file
        missing   "refuse" rows with a missing cell, or "drop" them
        executor  any concurrent.futures executor, which sums the pieces; the sketch is the same to the bit

        ValueError for a source without rows, columns that are not there, words in a column, a cell far below that would
        have the first rows read in another way, and other columns in one file than in the first.
        """
        from .chunks import pieces_of  # which needs pandas

        empty = cls(kernel, features, rng)
        several = isinstance(source, (list, tuple))
        with pipes.copy_pipes(source if several else [source]) as given:
            return summed(empty, pieces_of(given if several else given[0], columns, missing), executor)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file of numbers, an NPZ archive without pickles."""
        sketch_file.save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The sketch in a file that `save` wrote; ValueError for a damaged one and one of a later format."""
        return sketch_file.load(cls, path)

    def __repr__(self) -> str:
        return f"<Sketch of {self.n:,} rows by {self.features} features of {self.kernel!r}>"
