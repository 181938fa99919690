"""Sentences of the Shrinkage lab on the leave-one-out estimate, and on the time that its scores take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.markup import markup
from explorer.workbench.numbers import format_number
from explorer.workbench.tex_to_mathml import formula

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ShrinkageResult


PLAIN = "E‖φ(X) − g‖² = ‖μ − g‖² + nΔ"
SET = formula(r"\mathrm{E}\|\phi(X) - g\|^2 = \|\mu - g\|^2 + n\Delta")


def objective_words(result: ShrinkageResult, rule: Markup = SET) -> str | Markup:
    """Return the sentence on how leave-one-out and the loss are related, or "" if another picture is shown.

    `rule` is their formula.
    """
    if result.lab.picture != "objective":
        return ""
    gap, pace = result.objective.gap, result.pace
    if gap is None:
        words = markup(
            " The true distribution is unknown, so the picture shows only scores (dotted). They estimate the left"
            " side of {}: the loss plus a constant.",
            rule,
        )
    else:
        words = markup(
            " {}. The upper curves are the lower ones plus the constant nΔ, which is {} times the plain average's"
            " loss. So both have their minimum at the same λ. Leave-one-out (dotted) estimates the upper curves from"
            " the sample alone.",
            rule,
            format_number(gap),
        )
    if pace is None:
        return words
    return markup(
        "{} F-KMSE's scores at {} values of λ took {} in closed form. With {} refits for each value they would take"
        " about {}.",
        words,
        pace.m,
        _duration(pace.closed),
        len(result.X),
        _duration(pace.refits),
    )


def _duration(seconds):
    """Return a measured time as text with two digits."""
    if seconds < 1:
        return translate("{:g} ms", float(f"{1000.0 * seconds:.2g}"))
    if seconds < 120:
        return f"{float(f'{seconds:.2g}'):g} s"
    return translate("{} minutes", f"{float(f'{seconds / 60:.2g}'):g}")
