"""What a result costs, known before it is computed; what no session is allowed is refused in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.checks import Refusal
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.registry import find_entry
from explorer.kernels.low_rank.automatic import LONGEST
from explorer.kernels.low_rank.automatic import SECONDS as ENOUGH

TABLES = (*BUNDLED, "file")  # sources of which no true distribution is known
RATE = 5e8  # operations a second, of one core of a usual machine
SLOWER = 1.6  # times as long takes such a core as that where the labs' times were measured, and others up to twice that
LONG = 0.5  # s from which work is long: it leaves a thread to what is shorter, and ends where the lab has moved on
FRAMES = 0.06  # s: what takes no longer is computed by the event loop itself
SECONDS = 10.0  # that a session's result may take
LATE_SECONDS = 120.0  # that its late stages may take
BYTES = 400e6  # that a session's result may hold at a time


@dataclass(frozen=True)
class CostItem:
    """A part of what a result computes, one after the other.

    name        in a sentence: "the blocks' embeddings"
    operations  how many multiplications or their like, of which a core does `RATE` a second
    numbers     how many numbers of eight bytes the result holds at a time while this part is computed
    lower       the lab's fields whose lower values make it cheaper, the one that helps most first
    late        whether a late stage does it
    """

    name: str
    operations: float
    numbers: float = 0.0
    lower: tuple[str, ...] = ()
    late: bool = False

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return self.operations / RATE

    @property
    def bytes(self) -> float:
        """About how much memory is held meanwhile."""
        return 8.0 * self.numbers


def timed(name: str, seconds: float, numbers: float = 0.0, lower: tuple[str, ...] = (), late: bool = False) -> CostItem:
    """A Work whose time is known from a measurement: so many seconds of that core."""
    return CostItem(name, seconds * RATE, numbers, lower, late)


def measured(
    name: str, seconds: float, numbers: float = 0.0, lower: tuple[str, ...] = (), late: bool = False
) -> CostItem:
    """A Work that took so many seconds on the core where the labs' times were measured, a quick one."""
    return timed(name, SLOWER * seconds, numbers, lower, late)


def automatic(exact: float) -> float:
    """How many seconds an answer by approximation="auto" takes at most, of which the exact one takes so many."""
    return exact if exact <= ENOUGH else LONGEST


def coordinates(lab: Any) -> int:
    """How many coordinates the points of a lab have: those of a distribution, of a bundled table or of one's own."""
    if lab.source in BUNDLED:
        return find_entry(lab.source).d
    if lab.source != "file":
        return lab.d
    tables = lab.own if isinstance(lab.own, Sequence) else [lab.own]
    return tables[0].d if tables and tables[0] is not None else 1


def seconds(works: Sequence[CostItem], late: bool = False) -> float:
    """How long a result takes before it can be shown or, where `late`, what comes after that."""
    return sum(work.seconds for work in works if work.late == late)


def most_bytes(works: Sequence[CostItem]) -> float:
    """How much memory a result holds at a time, whose parts are computed one after the other."""
    return max((work.bytes for work in works), default=0.0)


def affordable(works: Sequence[CostItem]) -> bool:
    """Whether a session is allowed a result."""
    return seconds(works) <= SECONDS and seconds(works, late=True) <= LATE_SECONDS and most_bytes(works) <= BYTES


def refuse_too_much(works: Sequence[CostItem]) -> None:
    """A Refusal that names what to lower, for more than a session is allowed."""
    for late, most in ((False, SECONDS), (True, LATE_SECONDS)):
        if (total := seconds(works, late)) > most:
            worst = max((work for work in works if work.late == late), key=lambda work: work.seconds)
            raise Refusal(_sentence(worst, f"take about {_time(total)}", f"take {_time(most)}"))
    if (total := most_bytes(works)) > BYTES:
        worst = max(works, key=lambda work: work.bytes)
        raise Refusal(_sentence(worst, f"need about {_memory(total)} of memory", f"need {_memory(BYTES)}"))


def _sentence(worst, asked, allowed):
    return f"{worst.name[:1].upper()}{worst.name[1:]} would {asked}, and a page may {allowed}; {_way_out(worst.lower)}."


def _way_out(fields):
    """What to do about fields: a list of points added by hand is no number that can be lowered."""
    lists = {"placed": "add fewer points by hand (placed)"}
    numbers = [name for name in fields if name not in lists]
    ways = [f"lower {' or '.join(numbers)}"] if numbers else []
    return ", or ".join([*ways, *(lists[name] for name in fields if name in lists)])


def _time(amount):
    return f"{amount:.0f} s" if amount < 300 else f"{amount / 60:,.0f} minutes"


def _memory(amount):
    return f"{amount / 1e9:.2g} GB" if amount >= 1e9 else f"{amount / 1e6:.0f} MB"
