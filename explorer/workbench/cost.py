"""Cost of a result, known before it is computed; a result that exceeds a session's limits is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.checks import Refusal
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.registry import find_entry
from explorer.kernels.low_rank.automatic import LONGEST
from explorer.kernels.low_rank.automatic import SECONDS as ENOUGH

TABLES = (*BUNDLED, "file")  # sources without a known true distribution
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


def measured(
    name: str, seconds: float, numbers: float = 0.0, lower: tuple[str, ...] = (), late: bool = False
) -> CostItem:
    """Return a CostItem from a run time measured on the fast core on which the labs were timed.

    Parameters
    ----------
    name : str
        The part in a sentence.
    seconds : float
        The run time in seconds on that core. A typical core takes `SLOWER` times as long.
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
    return timed(name, SLOWER * seconds, numbers, lower, late)


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
