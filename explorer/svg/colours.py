"""Colours, strokes, fills and hatches of roles as SVG attributes.

Each colour is an attribute, which every program understands, and a class, which gives it another value in browsers with
a dark background.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT
from explorer.markup import embedded, joined, markup

if TYPE_CHECKING:
    from explorer.marks.mark import by
    from explorer.markup import Markup


OWN = {"ink": INK, "soft": SOFT, "line": LINE}  # colours of axes and text
COLOURS = {**ROLES, **OWN}
DASHES = {"dashed": "6 6", "dotted": "2 4", "dotdash": "2 4 6 4", "dashdot": "6 4 2 4"}
ALONE = "stands-alone"  # class of a standalone picture, whose colours are not those of a page
PAINTS = (("stroke", "s"), ("fill", "f"))
MARKED = "#D55E00"  # vermilion of Okabe and Ito, visible on white and on black


def sheet_of(roles: Mapping[str, Any]) -> Markup:
    """Return the style sheet of a picture: colours of some roles, light unless a screen prefers dark."""
    light, dark = (";".join(f"--{role}:{COLOURS[role][place]}" for role in roles) for place in (0, 1))
    rules = "".join(f".{short}-{role}{{{name}:var(--{role})}}" for role in roles for name, short in PAINTS)
    own = f".{ALONE}{{{light};font-family:{FONT}}}"
    on_dark = f"@media screen and (prefers-color-scheme:dark){{.{ALONE}{{{dark}}}}}"
    return markup("<style>{}</style>", embedded(own + on_dark + rules))


class Colours:
    """Colours with which the marks of a picture are drawn; a subclass defines by `colour` the colour of a role."""

    thin: float = 1.0  # width of strokes, relative to a page
    dot: float = 1.0  # size of dots, relative to a page
    spots = False  # whether dots are drawn without details, which takes a third of the characters

    def colour(self, role: str) -> str:
        """Return the colour of a role, or a colour unchanged."""
        raise NotImplementedError

    def paint(self, stroke: str | None = None, fill: str | None = None) -> Markup:
        """Return the colours of roles, or given colours, as attributes; None means "none"."""
        painted = (("stroke", stroke), ("fill", fill))
        parts = (markup('{}="{}"', name, "none" if role is None else self.colour(role)) for name, role in painted)
        return joined(parts, " ")

    def stroke(self, style: Mapping[str, Any], alpha: float = 1.0) -> Markup:
        """Return the attributes of a line, without its colour."""
        parts = [markup('stroke-width="{}"', f"{self.thin * style.get('width', 1):.3g}")]
        if (alpha := style.get("alpha", alpha)) != 1:
            parts.append(markup('stroke-opacity="{}"', f"{alpha:.3g}"))
        if dash := DASHES.get(style.get("dash", "solid")):
            dash = " ".join(f"{self.thin * float(each):g}" for each in dash.split())
            parts.append(markup('stroke-dasharray="{}"', dash))
        return joined(parts, " ")

    def line(self, role: str, style: Mapping[str, float | str], alpha: float = 1.0) -> Markup:
        """Return the attributes of a stroke in the colour of a role."""
        return markup("{} {}", self.paint(stroke=role), self.stroke(style, alpha))

    def shape(
        self,
        role: str,
        inks: Sequence[str],
        style: Mapping[str, float | str | by | Sequence[float | str] | None],
        alpha: float = 1.0,
    ) -> Markup:
        """Return the attributes of a shape's line and area, as far as its inks include them."""
        has_line = "line" in inks and style.get("width", 1) and style.get("alpha", alpha)
        parts = [self.paint(role if has_line else None, role if "fill" in inks else None)]
        if has_line:
            parts.append(self.stroke(style, alpha))
        if "fill" in inks and isinstance(fill := style.get("fill", 1.0), (int, float)):
            parts.append(markup('fill-opacity="{}"', f"{fill:.3g}"))
        return joined(parts, " ")

    def hatch(self, role: str, hatch: Sequence[float | str]) -> str:
        """Return nothing: a hatch needs a name, which another picture on the page could also have."""
        return ""


class StandaloneColours(Colours):
    """Colours of a standalone picture, which records the roles and hatches that it needs.

    Parameters
    ----------
    digest : callable
        Returns the characters that distinguish the names of its hatches from those of other pictures on a page.
    """

    def __init__(self, digest: Callable[..., Any]) -> None:
        self.roles: dict[str, None] = dict.fromkeys([*OWN, "ground"])
        self.hatches: dict[str, Markup] = {}
        self._digest = cache(digest)

    def colour(self, role: str) -> str:
        return COLOURS[role][0] if role in COLOURS else role

    def paint(self, stroke: str | None = None, fill: str | None = None) -> Markup:
        classes = []
        for (_, letter), role in zip(PAINTS, (stroke, fill), strict=True):
            if role in COLOURS:
                self.roles[role] = None
                classes.append(f"{letter}-{role}")
        named = [markup('class="{}"', " ".join(classes))] if classes else []
        return joined([*named, super().paint(stroke, fill)], " ")

    def hatch(self, role: str, hatch: Sequence[Any]) -> Markup:
        """Return the reference to a pattern of lines that rise to the right.

        Parameters
        ----------
        role : str
            The role.
        hatch : sequence
            (name, alpha, distance in px, width in px).

        Returns
        -------
        Markup
            The attributes.
        """
        _, alpha, apart, wide = (*hatch, 1.0)[:4]
        name = f"hatch-{self._digest()}-{role.lstrip('#')}-{alpha:g}-{apart:g}-{wide:g}".replace(".", "_")
        d = f"M-1 1L1 -1M0 {apart:g}L{apart:g} 0M{apart - 1:g} {apart + 1:g}L{apart + 1:g} {apart - 1:g}"
        ink = self.line(role, {"width": wide, "alpha": alpha})
        size = markup('width="{0}" height="{0}" patternUnits="userSpaceOnUse"', f"{apart:g}")
        self.hatches[name] = markup('<pattern id="{}" {}><path d="{}" {}/></pattern>', name, size, d, ink)
        return markup('fill="url(#{})" stroke="none"', name)


class PageColours(Colours):
    """Colours of a thumbnail: those of the page, by role, so that its theme changes them."""

    thin: float = 0.75
    dot: float = 0.62
    spots = True

    def colour(self, role: str) -> str:
        return f"var(--{role}, {ROLES[role][0]})" if role in ROLES else role


class PlainColours(Colours):
    """Colours of a notebook cell, light or dark: that of the surrounding text, and one for marked values."""

    def colour(self, role: str) -> str:
        if role.startswith("#"):
            return role
        return MARKED if role == "harm" else "currentColor"
