"""Sentences in HTML: names in the colours of their curves, formulas, and a headline with its line of trust."""

from __future__ import annotations

from html import escape


def named(words, role):
    """The name of a curve; the page gives it the colour of the curve's role, see `explorer.views.style.ROLES`."""
    return f"<span class='name {role}'>{escape(words)}</span>"


def formula(shown, tex):
    """A formula in HTML, with the TeX that a typesetter may put in its place."""
    return f"<span class='formula' data-tex='{escape(tex)}'>{shown}</span>"


# where RBF is as wide as a marginalized one of noise σ
NOISY_BANDWIDTH = formula(
    "√(<i>θ</i><sup>2</sup> + 2<i>σ</i><sup>2</sup>)",
    r"\sqrt{\theta^2 + 2\sigma^2}",
)


def headline(says, trust):
    """What a state shows, in one sentence, and below it how far to trust that."""
    return f"<div class='says'>{says}</div><div class='trust'>{trust}</div>"


def beside_average(first, second):
    """Two estimators beside the plain average, each (its name in HTML, its gain as `Compared`)."""
    (one, gain), (other, second_gain) = first, second
    return f"{one} has <b>{gain.error}</b> {gain.joint} the plain average, {other} <b>{second_gain.share}</b>."
