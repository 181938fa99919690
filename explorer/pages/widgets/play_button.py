"""A slider that goes by itself, one stop after the other, in the browser; a hand that moves it pauses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import param

from explorer.browser import component, on_change, sheet

from .localized import LocalizedComponent

if TYPE_CHECKING:
    from explorer.pages.interaction.request_pacing import Request

    from .number import NumberControl

PACE = 90  # ms from one stop to the next, of a slider that the browser answers


class PlayButton(LocalizedComponent):
    """A button that lets a slider go from where it is to its end, or from its beginning where it is at its end."""

    of: param.String[str] = param.String(doc="what is played, in a word")
    playing: param.Boolean[bool] = param.Boolean(False, doc="whether it goes")

    _module = "playing"
    _esm = component("playing.button")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "play")]

    @classmethod
    def over(cls, control: NumberControl, request: Request, pace: int = PACE) -> Self:
        """The button that plays a slider, whose page asks by `request`."""
        button = cls(of=control.slider.label.split()[0], margin=0)
        args = {"button": button, "slider": control.slider, "request": request, "pace": pace}
        on_change(button, "playing", "playing.go", **args)
        return button
