"""Drawings: what `plot` draws of a thing, as pictures of marks, whatever draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from explorer.marks import Picture


class Drawing(NamedTuple):
    """A picture, and the result that it shows.

    Attributes
    ----------
    picture : Picture
        The picture.
    result : Any
        The result; None for a `Chart`, which has its numbers.
    widens : bool
        Whether the axes extend to what `*` overlays, beyond their range. Those of a `Chart` always do.
    """

    picture: Picture
    result: Any = None
    widens: bool = False

    @property
    def panels(self) -> Sequence[Drawing]:
        """The drawing itself, as a sequence."""
        return [self]


class Panels(NamedTuple):
    """Several pictures side by side.

    Attributes
    ----------
    panels : sequence of Drawing
        The pictures, row by row.
    columns : int
        The number side by side.
    title : str
        The title over all.
    shared_axes : bool
        Whether panels share the axes of one name.
    """

    panels: Sequence[Drawing]
    columns: int
    title: str = ""
    shared_axes: bool = False
