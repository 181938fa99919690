"""A Gram matrix as an image of its entries, and a kernel by its Gram matrix or as a function of one argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.embeddings import Embedding
from explorer.marks import Axis, chart
from explorer.printing import model_text, plural
from explorer.types import Gram

from .drawings import Drawing
from .embedding import of_embedding
from .images import image
from .roles import role_of_kernel

if TYPE_CHECKING:
    from explorer.kernels import Kernel


MOST = 2000  # the largest number of rows: with more entries a page takes a browser minutes
SIDE = 320  # side of the image in px


def of_gram(gram: Gram, label: str = "k(x, y)") -> Drawing:
    """Draw a symmetric matrix (n, n) as an image, with its first row at the top.

    Parameters
    ----------
    gram : array_like of shape (n, n)
        The Gram matrix.
    label : str, default "k(x, y)"
        The name of the entries.

    Returns
    -------
    drawing : Drawing
        The image.

    Raises
    ------
    Refusal
        If the array is not a symmetric square matrix, or has more than 2000 rows.
    """
    gram = checks.numbers(gram, "the Gram matrix")
    n = len(gram)
    if gram.ndim != 2 or gram.shape != (n, n) or not n:
        raise Refusal(f"a Gram matrix is a square array (n, n), not one of shape {gram.shape}; losses need x=.")
    _refuse_many(n)
    if np.abs(gram - gram.T).max() > 1e-8 * np.abs(gram).max():
        raise Refusal("the array is square and not symmetric, so it is no Gram matrix; if it holds losses, give x=.")
    return _image(gram, label, f"Gram matrix of {n} points")


def of_kernel(
    kernel: Kernel,
    X: Any = None,
    at: Any = None,
    label: str | None = None,
    role: str | None = None,
    names: Any = None,
    grid: int | None = None,
) -> Drawing:
    """Draw the Gram matrix of a kernel on points X (n, d), or with `at`, one point (d,), the function k(at, .).

    If both are given, an automatic bandwidth is chosen on X.

    Raises
    ------
    WrongType
        If neither X nor `at` is given.
    Refusal
        If X has more than 2000 rows.
    """
    if X is None and at is None:
        raise WrongType(f"plot needs points for {checks.echo(kernel)}: X= for its Gram matrix, at=x for k(x, .).")
    chosen = kernel if X is None else kernel.select(X)
    if at is not None:
        point = [at] if isinstance(at, (str, tuple)) else np.atleast_2d(at)
        role = role_of_kernel(kernel) if role is None else role
        return of_embedding(Embedding(chosen, point, [1.0]), role, label or model_text(chosen), names, grid)
    points = chosen.points([] if X is None else X)
    _refuse_many(len(points))
    gram = chosen(points)
    return _image(gram, label or "k(x, y)", f"Gram matrix of {len(gram)} points under {model_text(chosen)}")


def _refuse_many(n):
    if n > MOST:
        raise Refusal(
            f"the Gram matrix has {plural(n, 'row')}, and plot draws at most {MOST:,}; take some of the points."
        )


def _image(gram, label, title):
    half, places = len(gram) - 0.5, np.arange(float(len(gram)))
    mark = image(places, places, gram, Axis(label, name="k"), table=True)
    x = Axis("column j", (-0.5, half), name="j", lines=False)
    y = Axis("row i", (half, -0.5), name="i", lines=False)  # the first row is on top
    return Drawing(chart(title, x, y, [mark], frame=(SIDE, SIDE), is_true_to_scale=True))
