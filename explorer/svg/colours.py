"""Colours, strokes, fills and hatches of roles as attributes.

Each colour is an attribute, which every program knows, and a class, by which a browser on a dark ground has another.
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


OWN = {"ink": INK, "soft": SOFT, "line": LINE}  # of axes and words
COLOURS = {**ROLES, **OWN}
DASHES = {"dashed": "6 6", "dotted": "2 4", "dotdash": "2 4 6 4", "dashdot": "6 4 2 4"}
ALONE = "stands-alone"  # the class of a whole picture, whose colours are no page's
PAINTS = (("stroke", "s"), ("fill", "f"))
MARKED = "#D55E00"  # vermilion of Okabe and Ito, seen on white and on black


def sheet_of(roles: Mapping[str, Any]) -> Markup:
    """The style of a picture: the colours of some roles, light unless a screen asks for dark."""
    light, dark = (";".join(f"--{role}:{COLOURS[role][place]}" for role in roles) for place in (0, 1))
    rules = "".join(f".{short}-{role}{{{name}:var(--{role})}}" for role in roles for name, short in PAINTS)
    own = f".{ALONE}{{{light};font-family:{FONT}}}"
    on_dark = f"@media screen and (prefers-color-scheme:dark){{.{ALONE}{{{dark}}}}}"
    return markup("<style>{}</style>", embedded(own + on_dark + rules))


class Colours:
    """What the marks of a picture are painted with; a kind of sheet says by `colour` which colour a role has there."""

    thin: float = 1.0  # how wide strokes are, of what they are on a page
    dot: float = 1.0  # and how large dots
    spots = False  # whether dots are only spots, which take a third of the letters

    def colour(self, role: str) -> str:
        """The colour of a role; a colour as it is."""
        raise NotImplementedError

    def paint(self, stroke: str | None = None, fill: str | None = None) -> Markup:
        """The colours of roles, or colours as they are, as attributes; None paints nothing."""
        painted = (("stroke", stroke), ("fill", fill))
        parts = (markup('{}="{}"', name, "none" if role is None else self.colour(role)) for name, role in painted)
        return joined(parts, " ")

    def stroke(self, style: Mapping[str, Any], alpha: float = 1.0) -> Markup:
        """How a line is drawn, but for its colour."""
        parts = [markup('stroke-width="{}"', f"{self.thin * style.get('width', 1):.3g}")]
        if (alpha := style.get("alpha", alpha)) != 1:
            parts.append(markup('stroke-opacity="{}"', f"{alpha:.3g}"))
        if dash := DASHES.get(style.get("dash", "solid")):
            dash = " ".join(f"{self.thin * float(each):g}" for each in dash.split())
            parts.append(markup('stroke-dasharray="{}"', dash))
        return joined(parts, " ")

    def line(self, role: str, style: Mapping[str, float | str], alpha: float = 1.0) -> Markup:
        """A stroke in the colour of a role."""
        return markup("{} {}", self.paint(stroke=role), self.stroke(style, alpha))

    def shape(
        self,
        role: str,
        inks: Sequence[str],
        style: Mapping[str, float | str | by | Sequence[float | str] | None],
        alpha: float = 1.0,
    ) -> Markup:
        """A shape's line and area, as far as its inks paint them."""
        has_line = "line" in inks and style.get("width", 1) and style.get("alpha", alpha)
        parts = [self.paint(role if has_line else None, role if "fill" in inks else None)]
        if has_line:
            parts.append(self.stroke(style, alpha))
        if "fill" in inks and isinstance(fill := style.get("fill", 1.0), (int, float)):
            parts.append(markup('fill-opacity="{}"', f"{fill:.3g}"))
        return joined(parts, " ")

    def hatch(self, role: str, hatch: Sequence[float | str]) -> str:
        """Nothing: the lines of a hatch need a name, which another picture on the page could have too."""
        return ""


class StandaloneColours(Colours):
    """Those of a picture that stands alone: the roles and hatches that it needs are written down.

    `digest()` gives the letters by which its hatches' names differ from those of other pictures of a page.
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
        """The reference to lines that rise to the right, (name, alpha, how far apart, how wide)."""
        _, alpha, apart, wide = (*hatch, 1.0)[:4]
        name = f"hatch-{self._digest()}-{role.lstrip('#')}-{alpha:g}-{apart:g}-{wide:g}".replace(".", "_")
        d = f"M-1 1L1 -1M0 {apart:g}L{apart:g} 0M{apart - 1:g} {apart + 1:g}L{apart + 1:g} {apart - 1:g}"
        ink = self.line(role, {"width": wide, "alpha": alpha})
        size = markup('width="{0}" height="{0}" patternUnits="userSpaceOnUse"', f"{apart:g}")
        self.hatches[name] = markup('<pattern id="{}" {}><path d="{}" {}/></pattern>', name, size, d, ink)
        return markup('fill="url(#{})" stroke="none"', name)


class PageColours(Colours):
    """Those of a thumbnail: a page's own colours, by their roles, so that its theme repaints them."""

    thin: float = 0.75
    dot: float = 0.62
    spots = True

    def colour(self, role: str) -> str:
        return f"var(--{role}, {ROLES[role][0]})" if role in ROLES else role


class PlainColours(Colours):
    """Those of a notebook cell, light or dark: the colour of the text around, and one for what is marked."""

    def colour(self, role: str) -> str:
        if role.startswith("#"):
            return role
        return MARKED if role == "harm" else "currentColor"
