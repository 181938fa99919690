"""The kernels that labs offer: what menus and sentences call them, and their bandwidth, which counts in medians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.kernels import Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.kernels.bandwidth_selection import LARGE, rows_of
from explorer.kernels.named import NAMED
from explorer.languages import translate
from explorer.markup import Later
from explorer.parameters import Choice
from explorer.types import Points

from . import menu_models
from .lab import copied
from .numbers import format_number

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .fields import UserTable, UserTableReading
    from .result import Result


CALLED = {
    "LIN": "linear",
    "POLY2": "quadratic",
    "POLY3": "cubic",
    "RBF": "RBF (Gaussian)",
    "LAP": "Laplacian",
    "distance": "energy (distance)",
    "EXP": "exponential",
}

EXPLAINED = Later("""\
<p><b>Kernels.</b> A kernel is the similarity of two points. Linear compares means only; quadratic and
cubic add moments of second and third order. RBF, exp(−‖x − y‖²/2θ²), and Laplacian, exp(−|x − y|₁/θ), distinguish all
distributions; Laplacian has a peak at 0, so even near neighbours are less alike, and its bandwidth θ counts in medians
of the summed coordinate distances |x − y|₁. Energy, (‖x‖ + ‖y‖ − ‖x − y‖)/2, has no bandwidth: twice its MMD² is the
energy distance. Exponential, exp(⟨x, y⟩/θ²), is RBF before each point is scaled to length 1: points far from 0 weigh
more, exponentially so.</p>
""")

FURTHER = Later("""\
<p><b>Further kernels.</b> Matérn lies between Laplacian and RBF: the larger ν, the smoother its functions. Rational
quadratic and inverse multiquadric fall as a power of the distance, so that far points still share something. ARD
Gaussian has a length for each axis: a long one leaves its axis nearly out. Models of a folder of yours stand in the
menus too, each parameter with a slider.</p>
""")
COMBINED = Later("""\
<p><b>Two kernels.</b> A sum, (1 − w) k + w l, sees what either sees. A product, k l, calls points alike that both call
alike.</p>
""")


def kernel_field(
    doc: str = "kernel: the similarity of two points",
    names: Sequence[str] = tuple(NAMED),
    default: str = "RBF",
    label: str = "kernel",
) -> str:
    """The kernel of a lab, by its short name."""
    return Choice(default=default, objects={CALLED[name]: name for name in names}, label=label, doc=doc)


def bandwidth_field(default: float, **changes: Any) -> float:
    """The bandwidth of a lab's kernels, in medians of the distances."""
    said = {"unit": "× median θ", "symbol": "bandwidth", "label": "bandwidth × median"}
    return copied(Gaussian, "bandwidth", default=default, allow_None=False, **said, **changes)


def kernel_called(name: str) -> Kernel:
    """The kernel of a menu by its name in links, with its parameters as they are at first."""
    if name in NAMED:
        return NAMED[name]
    kernel: Kernel = menu_models.kernels()[name].kind()
    return kernel


def spoken(name: str) -> str:
    """What a sentence calls a kernel."""
    return (CALLED[name] if name in CALLED else menu_models.kernels()[name].called).split(" (")[0]


def moves_with_bandwidth(name: str) -> bool:
    """Whether the kernel of that name has a bandwidth to move."""
    return name == EACH_AXIS or kernel_called(name).has_bandwidth


EACH_AXIS = "ARDGaussian"  # the kernel that has a length for each coordinate
ALONE = "alone"  # a kernel that is neither added to another one nor multiplied by it
BY_GRAM = (
    "Your Gram matrix is the kernel, so no other kernel and no bandwidth is to be chosen; the axes are its principal"
    " ones."
)


def refuse_beside_gram(lab: UserTableReading) -> None:
    """A sentence where the points of a lab are known by a Gram matrix alone, and another kernel is asked for."""
    if lab.known_by_gram and lab.kernel != "LIN":
        raise Refusal(
            f"The points are known by their Gram matrix alone, which is the kernel; '{lab.kernel}' would be another one"
            " than yours: take kernel 'LIN', which stands for the matrix, or a table of coordinates."
        )


def gram_words(lab: UserTable) -> str:
    """That a Gram matrix stands for kernel and bandwidth, a sentence with a space before it; empty where none does."""
    return f" {translate(BY_GRAM)}" if lab.known_by_gram else ""


def kernel_is_free(result: Result[UserTableReading]) -> bool:
    """Whether the kernel of a result's lab may be chosen: that of a Gram matrix is the matrix."""
    return not result.lab.known_by_gram


def kernel_words(lab: UserTableReading) -> str:
    """What a sentence calls a lab's kernel: "linear kernel", or the Gram matrix that stands for it."""
    if lab.known_by_gram:
        return translate("your Gram matrix as the kernel")
    both: Any = lab
    first, *more = (translate(f"{spoken(name)} kernel") + _parameters(lab, name) for name in names_of(lab))
    if not more:
        return first
    second = more[0]
    if both.combined == "sum":
        return translate("{} % {} + {} % {}", *_shares(both.share, first, second))
    return translate("{} × {}", first, second)


def _parameters(lab, name):
    """The parameters of a kernel that menus offer, in brackets: "(ν = 1.5)"; empty of one of the named ones."""
    fields = [f"length_{j}" for j in (1, 2, 3)] if name == EACH_AXIS else []
    fields += menu_models.kernels()[name].fields if name in menu_models.kernels() else []
    values = {getattr(type(lab).fields[field], "symbol", "") or field: getattr(lab, field) for field in fields}
    known = {symbol: value for symbol, value in values.items() if isinstance(value, int | float)}
    if name == EACH_AXIS:  # those that have the bandwidth itself are not told
        known = {symbol: value for symbol, value in known.items() if value != 1}
    return f" ({', '.join(f'{symbol} = {format_number(value)}' for symbol, value in known.items())})" if known else ""


def _shares(share, first, second):
    """Both kernels of a sum after their weights in per cent."""
    return format_number(100 * (1 - share)), first, format_number(100 * share), second


def has_bandwidth(result: Any) -> bool:
    """Whether the kernel of a result's lab has a bandwidth to move."""
    return any(map(moves_with_bandwidth, names_of(result.lab)))


def names_of(lab: Any) -> tuple[str, ...]:
    """The names of the kernels that the kernel of a lab is made of."""
    return (lab.kernel,) if getattr(lab, "combined", ALONE) == ALONE else (lab.kernel, lab.second)


def middle_of(points: Points, name: str) -> tuple[float, str]:
    """The median distance that a kernel's bandwidth counts in, and a remark where it is not plainly that."""
    return median_and_remark(points, kernel_called(name).metric)


def kernel_at(name: str, bandwidth: float, median: float) -> Kernel:
    """The kernel at a bandwidth that counts in medians."""
    return NAMED[name].with_bandwidth(bandwidth * median)


def kernel_of_all(name: str, points: Points) -> Kernel:
    """The kernel at the median distance of points (N, d): where they are many, of some, as the library chooses them."""
    return kernel_at(name, 1.0, middle_of(points[rows_of(len(points))], name)[0])


def at_median(name: str, points: int) -> str:
    """The bandwidth of `kernel_of_all` on so many points, in words; empty of a kernel without."""
    if not NAMED[name].has_bandwidth:
        return ""
    return " at the median distance" + (f" of {LARGE:,} of them" if points > LARGE else "")
