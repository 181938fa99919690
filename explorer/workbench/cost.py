"""Cost of a result, known before it is computed; a result that exceeds a session's limits is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from explorer.checks import Refusal
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.registry import find_entry
from explorer.kernels.low_rank.automatic import LONGEST
from explorer.kernels.low_rank.automatic import SECONDS as ENOUGH

Value = TypeVar("Value")
Compute = TypeVar("Compute", bound=Callable[..., Any])  # function of a stage
OfLab: TypeAlias = Callable[[Any], Value]  # function of a lab

RATE = 5e8  # operations per second of one core of a typical machine
# ratio of a typical core's time to that of the core on which the labs were timed; other cores take up to twice as long
SLOWER = 1.6
LONG = 0.5  # seconds from which a job is long: it gives way to shorter jobs, and is dropped if the lab has moved on
FRAMES = 0.06  # seconds up to which the event loop computes a result itself
SECONDS = 10.0  # time limit of a session's result, in seconds
LATE_SECONDS = 120.0  # time limit of its deferred stages, in seconds
BYTES = 400e6  # memory limit of a session's result at any time


@dataclass(frozen=True)
class CostItem:
    """One part of a result's computation; the parts run one after the other.

    Parameters
    ----------
    name : str
        The part in a sentence, such as "the blocks' embeddings".
    operations : float
        Number of multiplications or similar operations. A core does `RATE` per second.
    numbers : float, default 0
        How many 8-byte numbers the result holds while this part is computed.
    lower : tuple of str, default ()
        The lab's fields whose lower values make this part cheaper, the most effective first.
    late : bool, default False
        Whether the part belongs to a deferred stage.
    """

    name: str
    operations: float
    numbers: float = 0.0
    lower: tuple[str, ...] = ()
    late: bool = False

    @property
    def seconds(self) -> float:
        """Approximate run time in seconds."""
        return self.operations / RATE

    @property
    def bytes(self) -> float:
        """Approximate memory in bytes that is held during the computation."""
        return 8.0 * self.numbers


def timed(name: str, seconds: float, numbers: float = 0.0, lower: tuple[str, ...] = (), late: bool = False) -> CostItem:
    """Return a CostItem from a run time that was measured on a typical core.

    Parameters
    ----------
    name : str
        The part in a sentence.
    seconds : float
        The run time in seconds.
    numbers : float, default 0
        How many 8-byte numbers are held.
    lower : tuple of str, default ()
        The fields whose lower values make it cheaper.
    late : bool, default False
        Whether the part belongs to a deferred stage.

    Returns
    -------
    CostItem
        The part.
    """
    return CostItem(name, seconds * RATE, numbers, lower, late)


def costs(
    name: str, seconds: float | OfLab[float], numbers: float | OfLab[float] = 0.0, *lower: str | OfLab[tuple[str, ...]]
) -> Callable[[Compute], Compute]:
    """Declare the cost of a stage, below the decorator of the stage; once for each part of its work.

    It is the cost of the states to which the stage belongs, except those in which `seconds` is 0.

    Parameters
    ----------
    name : str
        The part in a sentence.
    seconds : float or callable
        The run time in seconds on the fast core on which the labs were timed, or a function of the lab that returns it.
        A typical core takes `SLOWER` times as long.
    numbers : float or callable, default 0
        How many 8-byte numbers are held, or a function of the lab.
    *lower : str or callable
        The fields whose lower values make it cheaper, the most effective first, or a function of the lab that returns
        several.

    Returns
    -------
    callable
        Takes the function of the stage and returns it.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, deferred, stage
    >>> from explorer.workbench.cost import costs
    >>> class Sorts(Lab):
    ...     n = Whole(default=1000, bounds=(1, 10**6), doc="how many")
    >>> class SortsResult(Result[Sorts]):
    ...     @stage
    ...     @costs("the sorting", lambda lab: 1e-7 * lab.n, lambda lab: 2 * lab.n, "n")
    ...     def sorted(self):
    ...         return sorted(range(self.lab.n, 0, -1))
    ...     @deferred()
    ...     @costs("the pairs", lambda lab: 1e-7 * lab.n**2, 0, "n")
    ...     def pairs(self):
    ...         return self.lab.n**2
    >>> [(part.name, part.bytes, part.late) for part in Sorts(n=10).cost]
    [('the sorting', 160.0, False), ('the pairs', 0.0, True)]
    """

    def part(lab):
        fields = ((each,) if isinstance(each, str) else each(lab) for each in lower)
        return timed(name, SLOWER * _at(seconds, lab), _at(numbers, lab), tuple(chain.from_iterable(fields)))

    def declare(compute: Any) -> Any:
        compute.costs = (part, *getattr(compute, "costs", ()))
        return compute

    return declare


def _at(value, lab):
    """Return a number, or what a function of the lab returns."""
    return value(lab) if callable(value) else value


def automatic(exact: float) -> float:
    """Return an upper bound on the seconds that `approximation="auto"` takes.

    Parameters
    ----------
    exact : float
        Seconds of the exact computation.

    Returns
    -------
    float
        The bound in seconds.
    """
    return exact if exact <= ENOUGH else LONGEST


def coordinates(lab: Any) -> int:
    """Return the number of coordinates of a lab's points.

    Parameters
    ----------
    lab : Lab
        The points are those of a distribution, of a bundled table or of the user's table.

    Returns
    -------
    int
        The number of coordinates.
    """
    if lab.source in BUNDLED:
        return find_entry(lab.source).d
    if lab.source != "file":
        return lab.d
    tables = lab.own if isinstance(lab.own, Sequence) else [lab.own]
    return tables[0].d if tables and tables[0] is not None else 1


def seconds(works: Sequence[CostItem], late: bool = False) -> float:
    """Return the run time of a result in seconds, without its deferred stages or of these alone.

    Parameters
    ----------
    works : sequence of CostItem
        The parts of the computation.
    late : bool, default False
        Whether to add up the deferred stages instead of all others.

    Returns
    -------
    float
        The time in seconds.
    """
    return sum(work.seconds for work in works if work.late == late)


def most_bytes(works: Sequence[CostItem]) -> float:
    """Return the largest memory in bytes that a result holds at any time.

    Parameters
    ----------
    works : sequence of CostItem
        The parts of the computation, which run one after the other.

    Returns
    -------
    float
        The memory in bytes.
    """
    return max((work.bytes for work in works), default=0.0)


def affordable(works: Sequence[CostItem]) -> bool:
    """Return whether a result stays within a session's limits of time and memory.

    Parameters
    ----------
    works : sequence of CostItem
        The parts of the computation.

    Returns
    -------
    bool
        True if it may be computed.
    """
    return seconds(works) <= SECONDS and seconds(works, late=True) <= LATE_SECONDS and most_bytes(works) <= BYTES


def refuse_too_much(works: Sequence[CostItem]) -> None:
    """Raise a Refusal that names what to lower, if a result exceeds a session's limits.

    Parameters
    ----------
    works : sequence of CostItem
        The parts of the computation.

    Raises
    ------
    Refusal
        If the result, or its deferred stages, would take too long, or the result too much memory.
    """
    for late, most in ((False, SECONDS), (True, LATE_SECONDS)):
        if (total := seconds(works, late)) > most:
            worst = max((work for work in works if work.late == late), key=lambda work: work.seconds)
            raise Refusal(_sentence(worst, f"take about {_time(total)}", f"take {_time(most)}"))
    if (total := most_bytes(works)) > BYTES:
        worst = max(works, key=lambda work: work.bytes)
        raise Refusal(_sentence(worst, f"need about {_memory(total)} of memory", f"need {_memory(BYTES)}"))


def _sentence(worst, asked, allowed):
    """Return the message of a Refusal about the costliest part."""
    return f"{worst.name[:1].upper()}{worst.name[1:]} would {asked}, and a page may {allowed}; {_way_out(worst.lower)}."


def _way_out(fields):
    """Return the advice on which fields to lower. Points that were added are a list: fewer have to be added."""
    lists = {"placed": "add fewer points by hand (placed)"}
    numbers = [name for name in fields if name not in lists]
    ways = [f"lower {' or '.join(numbers)}"] if numbers else []
    return ", or ".join([*ways, *(lists[name] for name in fields if name in lists)])


def _time(amount):
    """Return a time in seconds as text, in minutes if it is long."""
    return f"{amount:.0f} s" if amount < 300 else f"{amount / 60:,.0f} minutes"


def _memory(amount):
    """Return a number of bytes as text."""
    return f"{amount / 1e9:.2g} GB" if amount >= 1e9 else f"{amount / 1e6:.0f} MB"
