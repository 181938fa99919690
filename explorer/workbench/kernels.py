"""Kernels that labs offer: their labels in menus and sentences, and their bandwidth in units of the median distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.kernels.bandwidth_selection import LARGE, rows_of
from explorer.kernels.named import NAMED
from explorer.languages import message, translate
from explorer.parameters import Choice
from explorer.printing import join_list
from explorer.types import Points

from . import menu_models
from .conditions import Reasoned
from .lab import copied
from .menu_models import CALLED
from .numbers import format_number

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .fields import UserTable, UserTableReading
    from .result import Result


# names in a sentence; the user's own kernels have others
IN_WORDS = message(
    {
        "linear": "linear kernel",
        "quadratic": "quadratic kernel",
        "cubic": "cubic kernel",
        "RBF": "RBF kernel",
        "Laplacian": "Laplacian kernel",
        "energy": "energy kernel",
        "exponential": "exponential kernel",
        "Matérn": "Matérn kernel",
        "ARD Gaussian": "ARD Gaussian kernel",
        "rational quadratic": "rational quadratic kernel",
        "inverse multiquadric": "inverse multiquadric kernel",
    }
)


def kernel_field(
    doc: str = "kernel: the similarity of two points",
    names: Sequence[str] = tuple(NAMED),
    default: str = "RBF",
    label: str = "kernel",
    when: Callable[[Any], object] | None = None,
) -> str:
    """Return the field of a lab's kernel.

    Parameters
    ----------
    doc : str
        Its documentation.
    names : sequence of str
        Short names of the kernels that it offers.
    default : str, default "RBF"
        Short name of the default.
    label : str, default "kernel"
        Label of its control.
    when : callable or None, default None
        Called with a result; returns whether the field has an effect.

    Returns
    -------
    Choice
        The field.
    """
    return Choice(default=default, objects={CALLED[name]: name for name in names}, label=label, doc=doc, when=when)


def bandwidth_field(default: float, **changes: Any) -> float:
    """Return the field of a lab's bandwidth, in units of the median distance.

    Parameters
    ----------
    default : float
        Its default.
    **changes : Any
        Other slots of the parameter.

    Returns
    -------
    LogNumber
        The field.
    """
    said = {"unit": "× median θ", "symbol": "bandwidth", "label": "bandwidth × median"}
    return copied(Gaussian, "bandwidth", default=default, allow_None=False, **said, **changes)


def kernel_called(name: str) -> Kernel:
    """Return a kernel of a menu with its default parameters.

    Parameters
    ----------
    name : str
        Its name in links.

    Returns
    -------
    Kernel
        The kernel.
    """
    if name in NAMED:
        return NAMED[name]
    kernel: Kernel = menu_models.kernels()[name].kind()
    return kernel


def spoken(name: str) -> str:
    """Return the name of a kernel in a sentence.

    Parameters
    ----------
    name : str
        Its name in links.

    Returns
    -------
    str
        Such as "RBF", without what its label adds in brackets.
    """
    return (CALLED[name] if name in CALLED else menu_models.kernels()[name].called).split(" (")[0]


def moves_with_bandwidth(name: str) -> bool:
    """Return whether a kernel has a bandwidth.

    Parameters
    ----------
    name : str
        Its name in links.

    Returns
    -------
    bool
        True if it has.
    """
    return name == EACH_AXIS or kernel_called(name).has_bandwidth


EACH_AXIS = "ARDGaussian"  # the kernel with one length for each coordinate
ALONE = "alone"  # neither added to another kernel nor multiplied by one
BY_GRAM = (
    "Your Gram matrix is the kernel, so no other kernel and no bandwidth is to be chosen; the axes are its principal"
    " ones."
)


def refuse_beside_gram(lab: UserTableReading) -> None:
    """Raise a Refusal if a kernel is set and a lab's points are known only by a Gram matrix.

    Parameters
    ----------
    lab : UserTableReading
        The lab.

    Raises
    ------
    Refusal
        If the kernel is not "LIN", which stands for the matrix.
    """
    if lab.known_by_gram and lab.kernel != "LIN":
        raise Refusal(
            "The points are known by their Gram matrix alone, which is the kernel; '{}' would be another one"
            " than yours: take kernel 'LIN', which stands for the matrix, or a table of coordinates.",
            lab.kernel,
        )


def gram_words(lab: UserTable) -> str:
    """Return the sentence that a Gram matrix replaces kernel and bandwidth, with a leading space.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    str
        Empty if the points have coordinates.
    """
    return f" {translate(BY_GRAM)}" if lab.known_by_gram else ""


def kernel_is_free(result: Result[UserTableReading]) -> bool:
    """Return whether the user may choose the kernel: that of a Gram matrix is the matrix.

    Parameters
    ----------
    result : Result
        A result of the lab.

    Returns
    -------
    bool
        False if the points are known only by a Gram matrix.
    """
    return not result.lab.known_by_gram


def kernel_words(lab: UserTableReading) -> str:
    """Return the name of a lab's kernel in a sentence: "linear kernel", or the Gram matrix that replaces it.

    Parameters
    ----------
    lab : UserTableReading
        The lab.

    Returns
    -------
    str
        The translated name, with parameters and, for two kernels, their weights.
    """
    if lab.known_by_gram:
        return translate("your Gram matrix as the kernel")
    both: Any = lab
    first, *more = (_in_words(spoken(name)) + _parameters(lab, name) for name in names_of(lab))
    if not more:
        return first
    second = more[0]
    if both.combined == "sum":
        return translate("{} % {} + {} % {}", *_shares(both.share, first, second))
    return translate("{} × {}", first, second)


def _in_words(called):
    return translate(IN_WORDS[called]) if called in IN_WORDS else translate("{} kernel", called)


def _parameters(lab, name):
    """Return the parameters of a menu's kernel in brackets, such as "(ν = 1.5)"; empty for a named kernel."""
    fields = [f"length_{j}" for j in (1, 2, 3)] if name == EACH_AXIS else []
    fields += menu_models.kernels()[name].fields if name in menu_models.kernels() else []
    values = {getattr(type(lab).fields[field], "symbol", "") or field: getattr(lab, field) for field in fields}
    known = {symbol: value for symbol, value in values.items() if isinstance(value, int | float)}
    if name == EACH_AXIS:  # lengths equal to the bandwidth itself are not listed
        known = {symbol: value for symbol, value in known.items() if value != 1}
    return f" ({', '.join(f'{symbol} = {format_number(value)}' for symbol, value in known.items())})" if known else ""


def _shares(share, first, second):
    """Return both kernels of a sum, each after its weight in per cent."""
    return format_number(100 * (1 - share)), first, format_number(100 * share), second


def _has_bandwidth(result):
    return any(map(moves_with_bandwidth, names_of(result.lab)))


def no_bandwidth(result: Any) -> str:
    """Return the sentence that a result's kernels have no bandwidth.

    Parameters
    ----------
    result : Result
        A result of the lab.

    Returns
    -------
    str
        Names the kernels.
    """
    return translate("No bandwidth: {}.", join_list(_in_words(spoken(name)) for name in names_of(result.lab)))


has_bandwidth = Reasoned(_has_bandwidth, no_bandwidth)  # whether any kernel of a result's lab has a bandwidth


def names_of(lab: Any) -> tuple[str, ...]:
    """Return the names of the kernels of which a lab's kernel is made.

    Parameters
    ----------
    lab : Lab
        The lab.

    Returns
    -------
    tuple of str
        One or two names.
    """
    return (lab.kernel,) if getattr(lab, "combined", ALONE) == ALONE else (lab.kernel, lab.second)


def middle_of(points: Points, name: str) -> tuple[float, str]:
    """Return the median distance, which is the unit of a kernel's bandwidth, and a remark on it.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.
    name : str
        The kernel's name.

    Returns
    -------
    median : float
        The unit.
    remark : str
        Empty, or why the unit is not the plain median.
    """
    return median_and_remark(points, kernel_called(name).metric)


def kernel_at(name: str, bandwidth: float, median: float) -> Kernel:
    """Return a kernel at a bandwidth in units of the median distance.

    Parameters
    ----------
    name : str
        The kernel's name.
    bandwidth : float
        The bandwidth, in units of the median distance.
    median : float
        The median distance.

    Returns
    -------
    Kernel
        The kernel.
    """
    return NAMED[name].with_bandwidth(bandwidth * median)


def kernel_of_all(name: str, points: Points) -> Kernel:
    """Return a kernel at the median distance of points, estimated from a subset if there are many.

    Parameters
    ----------
    name : str
        The kernel's name.
    points : ndarray of shape (N, d)
        The points. The subset is the one that the library uses.

    Returns
    -------
    Kernel
        The kernel.
    """
    return kernel_at(name, 1.0, middle_of(points[rows_of(len(points))], name)[0])


def at_median(name: str, points: int) -> str:
    """Return words on the bandwidth of `kernel_of_all`: " at the median distance", and of how many points.

    Parameters
    ----------
    name : str
        The kernel's name.
    points : int
        Number of points.

    Returns
    -------
    str
        The words, which start with a space; empty if the kernel has no bandwidth.
    """
    if not NAMED[name].has_bandwidth:
        return ""
    return " at the median distance" + (f" of {LARGE:,} of them" if points > LARGE else "")
