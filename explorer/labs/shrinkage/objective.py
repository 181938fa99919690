"""The Shrinkage lab's words for what leave-one-out estimates beside the loss, and for what its scores cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.markup import markup
from explorer.workbench.formulas import formula
from explorer.workbench.numbers import number

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ShrinkageResult


PLAIN = "E‖φ(X) − g‖² = ‖μ − g‖² + nΔ"
SET = formula(r"\mathrm{E}\|\phi(X) - g\|^2 = \|\mu - g\|^2 + n\Delta")


def objective_words(result: ShrinkageResult, rule: Markup = SET) -> str | Markup:
    """What the two have to do with one another, where that picture is shown; `rule` is their formula."""
    if result.lab.picture != "objective":
        return ""
    gap, pace = result.objective.gap, result.pace
    if gap is None:
        known = " The true distribution is unknown, so only the scores (dotted) are; they estimate the upper side of"
        words = markup("{} {}, the loss and a number that no estimate g changes.", known, rule)
    else:
        words = markup(
            " {}: the upper curves are the lower ones and nΔ = {} losses of the plain average, whatever the"
            " estimate g. So both are least at the same λ, and leave-one-out (dotted), which estimates the"
            " upper ones from the sample alone, can find it.",
            rule,
            number(gap),
        )
    if pace is None:
        return words
    return markup(
        "{} F-KMSE's score at {} values of λ took {} in closed form; by {} refits at each it takes about"
        " {}, both measured here.",
        words,
        pace.m,
        _duration(pace.closed),
        len(result.X),
        _duration(pace.refits),
    )


def _duration(seconds):
    """A measured time, to two digits."""
    if seconds < 1:
        return f"{float(f'{1e3 * seconds:.2g}'):g} ms"
    return f"{float(f'{seconds:.2g}'):g} s" if seconds < 120 else f"{float(f'{seconds / 60:.2g}'):g} minutes"
