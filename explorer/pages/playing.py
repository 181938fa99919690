"""A slider that goes by itself: one stop after the other while its button is pressed."""

from __future__ import annotations

from dataclasses import dataclass

from .declare import Button

PACE = 180  # ms from one stop to the next


@dataclass(frozen=True)
class Player(Button):
    """A button that plays the page's `played` slider, and pauses it."""

    words: tuple[str, str] = ("Play", "Pause")

    def now(self, page):
        """What a press would do."""
        on = page.playing is not None
        return {"label": self.words[on], "variant": "contained" if on else "outlined"}


class Plays:
    """A page of which one slider, `played`, goes by itself. A hand that moves it pauses it; without a server it jumps
    to its end.
    """

    played, playing = "", None
    _played_to = None  # where it was put last

    def can_play(self):
        """Whether the state shows what is played."""
        return True

    def play(self):
        """Play from here, or from the first stop where the slider is at its last; or pause."""
        if self.playing is not None:
            return self.pause()
        if not self.can_play():
            return None
        if not self._ahead():
            self._play_to(self._stops[0])
        if self._doc is None:
            return self._play_to(self._stops[-1])
        self._played_to = getattr(self.lab, self.played)
        self.playing = self._doc.add_periodic_callback(self._next, PACE)
        return self._say_play()

    def pause(self):
        """Stay here."""
        if self.playing is not None:
            self._doc.remove_periodic_callback(self.playing)
            self.playing = None
            self._say_play()

    def step_on(self):
        """One stop further."""
        self.pause()
        if not self.can_play():
            return
        if ahead := self._ahead():
            self._play_to(ahead[0])

    def _next(self):
        """The next stop, once the last picture is there."""
        if self._busy or self.waits:
            return
        ahead = self._ahead()
        # a hand has moved it, or it is at its end, or not to be seen any more
        if getattr(self.lab, self.played) != self._played_to or not ahead or not self.can_play():
            self.pause()
            return
        with self.hold():
            self._play_to(ahead[0])

    @property
    def _stops(self):
        return self.controls[self.played].steps

    def _ahead(self):
        """The stops beyond the one that it is at."""
        here = getattr(self.lab, self.played)
        return [stop for stop in self._stops if stop > here]

    def _play_to(self, stop):
        self._played_to = stop
        self.move(self.played, **{self.played: stop})
        self.controls[self.played].show(stop, None, self.pacer.place)

    def _say_play(self):
        for name, button in self.buttons.items():
            if isinstance(button, Player):
                self.pressed[name].param.update(**button.now(self))

    def release(self):
        """The session is over."""
        if self.playing is not None:
            self._doc.remove_periodic_callback(self.playing)
            self.playing = None
        super().release()
