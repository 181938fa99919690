"""Playback of a slider in the browser, one stop after the other. The user pauses it by moving the slider."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import param

from explorer.browser import component, on_change, sheet

from .localized import LocalizedComponent

if TYPE_CHECKING:
    from explorer.pages.interaction.request_pacing import Request

    from .number import NumberControl

PACE = 90  # time in ms from one stop to the next, for a slider that the browser answers


class PlayButton(LocalizedComponent):
    """A button that plays a slider from its position to its end, or from the beginning if it is at its end."""

    of: param.String[str] = param.String(doc="the symbol or name of the slider's field")
    playing: param.Boolean[bool] = param.Boolean(False, doc="whether the slider is playing")
    disabled: param.Boolean[bool] = param.Boolean(False, doc="whether the slider has no effect")

    _module = "playing"
    _esm = component("playing.button")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "play")]

    @classmethod
    def over(cls, control: NumberControl, request: Request, pace: int = PACE) -> Self:
        """Return the button that plays a slider; `request` is the page's model for requests to the server."""
        button = cls(of=control.slider.label.split()[0], margin=0)
        args = {"button": button, "slider": control.slider, "request": request, "pace": pace}
        on_change(button, "playing", "playing.go", **args)
        return button
