"""Kernels by the short names that figures, menus and links use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer import checks
from explorer.checks import Refusal

from .energy import Energy
from .exponential import Exponential
from .gaussian import Gaussian
from .laplacian import Laplacian
from .polynomial import Linear, Polynomial

if TYPE_CHECKING:
    from .base import Kernel


NAMED: dict[str, Kernel] = {
    "LIN": Linear(),
    "POLY2": Polynomial(2),
    "POLY3": Polynomial(3),
    "RBF": Gaussian(),
    "LAP": Laplacian(),
    "distance": Energy(),
    "EXP": Exponential(),
}
FOUR = {name: NAMED[name] for name in ("LIN", "POLY2", "POLY3", "RBF")}  # the shrinkage papers' figures use these


def named_kernel(name: str, bandwidth: float | None = None) -> Kernel:
    """Return the kernel of a short name that links and tables use.

    Parameters
    ----------
    name : {"LIN", "POLY2", "POLY3", "RBF", "LAP", "distance", "EXP"}
        The name; "RBF" is Gaussian, "LAP" Laplacian, "distance" Energy and "EXP" Exponential.
    bandwidth : float or None, default None
        The bandwidth in units of the points, for a kernel that has one; the others ignore it. None leaves it to be
        chosen on a sample, by the median heuristic, and Exponential's at 1.

    Returns
    -------
    Kernel
        The kernel.

    Raises
    ------
    ValueError
        If the name is another one.

    Examples
    --------
    >>> from explorer.kernels import named_kernel
    >>> named_kernel("RBF", 0.5)
    Gaussian(bandwidth=0.5)
    >>> named_kernel("POLY2")
    Polynomial()
    """
    if not isinstance(name, str) or name not in NAMED:
        raise Refusal(f"name must be one of {checks.join_list(map(repr, NAMED))}, not {checks.echo(name)}.")
    kernel = NAMED[name]
    return kernel if bandwidth is None else kernel.with_bandwidth(bandwidth)
