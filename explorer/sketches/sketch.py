"""`Sketch`: a summary of the kernel mean of many rows, which can be added, subtracted, saved and compared."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import Any, Self

from explorer.datasets.files import pipes
from explorer.embeddings.feature_sums import FeatureSums
from explorer.execution.processors import limit_threads_of_methods
from explorer.kernels import Kernel
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Missing

from . import sketch_file
from .parallel_sum import sum_chunks


@limit_threads_of_methods
class Sketch(FeatureSums):
    r"""The kernel mean of n rows by `features` random features, without the rows: a few MB, whatever n is.

    Use it for files that are too large to keep, and to compare data without sharing their rows. If the rows fit in
    memory, `mmd_test` of them needs no approximation.

    s + t contains the rows of both sketches, and s - t those of s that are not t's, so a window of a stream is a
    difference. `mmd2` and `mmd_test` compare two sketches; `embed` returns an Embedding for functions that take one.

    Parameters
    ----------
    kernel : Gaussian or Laplacian
        Kernel with a given bandwidth: a sketch has no rows to choose one on.
    features : int, default 1000
        An even number. `mmd2_error` is the standard error of MMD² by them, `error` that of one sketch's squared norm.
        Both fall as √(1/features); for MMD² it may be several times that share.
    rng : int, default 0
        A whole number, the seed of the waves ω. Sketches are added and compared if kernel, features and rng agree.

    Raises
    ------
    ValueError
        If the kernel has no bandwidth or no such waves, if sketches with different features are combined, and if there
        are more than 2^31 rows or fewer than none.

    Notes
    -----
    .. math::

        \hat\mu = \frac1n \sum_i \varphi(x_i), \quad
        \varphi(x) = \sqrt{1/J} (\cos \langle \omega_j, x \rangle, \sin \langle \omega_j, x \rangle), \quad
        J = features / 2.

    Features are summed as whole numbers, rounded to 2^-30, so the same rows give the same bits in any order and any
    chunks, and (s + t) - t is s.

    References
    ----------
    Rahimi and Recht 2007 (NIPS 20).

    Examples
    --------
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
        """Return the sketch of all rows of a source, which is read in chunks: one chunk is in memory at a time.

        Parameters
        ----------
        source : path, list of paths, array, DataFrame or iterable
            The path of a file, such as CSV or Parquet, a folder of them, or a list of either, read as a lenient
            `read_table` reads one, "-" for standard input; an array or DataFrame; a dask array or DataFrame; an
            iterable of arrays or DataFrames.
        kernel : Gaussian or Laplacian
            Kernel with a given bandwidth.
        features : int, default 1000
            Number of features, even.
        rng : int, default 0
            Seed of the waves.
        columns : sequence of str or None, default None
            Columns of numbers, by name, in this order. None is all of them, the same in every file.
        missing : {"refuse", "drop"}, default "refuse"
            "refuse" refuses rows with a missing cell, "drop" leaves them out.
        executor : Executor or None, default None
            Any concurrent.futures executor, which sums the chunks; the sketch is the same to the bit.

        Returns
        -------
        Sketch
            The sketch.

        Raises
        ------
        ValueError
            If the source has no rows, columns do not exist, a column contains words, a later cell would have the first
            rows read in another way, or a file has other columns than the first.
        """
        from .chunks import chunks_of  # imported late, since it needs pandas

        empty = cls(kernel, features, rng)
        several = isinstance(source, (list, tuple))
        with pipes.copy_pipes(source if several else [source]) as given:
            return sum_chunks(empty, chunks_of(given if several else given[0], columns, missing), executor)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the sketch to a file of numbers, an NPZ archive without pickles.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        sketch_file.save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the sketch in a file that `save` wrote.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        Sketch
            The sketch.

        Raises
        ------
        ValueError
            If the file is damaged or has a later format.
        """
        return sketch_file.load(cls, path)

    def __repr__(self) -> str:
        return f"<Sketch of {self.n:,} rows by {self.features} features of {self.kernel!r}>"
