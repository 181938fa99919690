"""Story mode: a few steps through a lab, each with its own link and a question to guess before the answer is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

import panel as pn
import param

from explorer.browser import component, sheet
from explorer.languages import bind_language, linked, translate
from explorer.markup import Later, markup
from explorer.pages.layout.theme import NARROW
from explorer.pages.widgets.localized import LocalizedComponent
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.stories import Place

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.display import Display
    from explorer.pages.navigation import Navigation
    from explorer.pages.page_protocol import Page
    from explorer.views.view import View
    from explorer.workbench.result import Result
    from explorer.workbench.stories import Step, Story

ASTRAY = "You have moved on from this step. “Return” leads back to it."
WAIT = "The answer is still being computed."
WIDE, EDGE = 340, 24  # width and margin of a scale, in units of its viewBox
SKIPPED = -1  # stored as the guess if the user asked for the answer without one
# on a narrow page the card is above the main picture, so the parts of its column join the other columns
BESIDE = f"{NARROW} {{ :host(.told) {{ display: contents; }} }}"
RIGHT = f"{NARROW} {{ :host(.told) {{ flex: 1 1 100%; }} }}"
EXAMPLES = f"{NARROW} {{ :host(.told) {{ display: none; }} }}"  # so that question and answer fit on a phone
VEIL = Later("<div class='says'>The result appears here after your guess.</div>")
LATER = Later("<div class='says'>The result appears here after a later question about it.</div>")


class StoryBar(pn.viewable.Viewer):
    """Card of the open story, which replaces the page's right column. `owner` is the page.

    The page's headline is hidden until the user has guessed at a step or asked for its answer. No link carries a guess.
    `make_room` arranges the columns. It is called after an answer was hidden or shown. `unpin` is called before a story
    begins, because a pinned result may show what a step asks.
    """

    story: Any = param.Parameter(doc="the Story that is open, or None")
    step: param.Integer[int] = param.Integer(0, doc="the open step, counted from 0")

    def __init__(
        self, owner: Page, make_room: Callable[[], object], unpin: Callable[[], object], **params: Any
    ) -> None:
        super().__init__(**params)
        self.owner = owner
        self.make_room = make_room
        self.unpin = unpin
        self.navigation: Navigation = owner.navigation
        self.display: Display = owner.display
        self.view: View = owner.view
        self.guesses: dict[int, int] = {}  # step -> index of a choice or of a stop, or SKIPPED
        self.rights: dict[int, bool] = {}  # step -> whether its guess was right; makes the score
        self.card: StoryCard = StoryCard(self.on_action, visible=False, margin=(6, 0), sizing_mode="stretch_width")

    def __panel__(self) -> StoryCard:
        return self.card

    @property
    def titles(self) -> list[str]:
        """The titles of the page's stories. `begin(i)` opens the i-th."""
        return [translate(story.title) for story in self.owner.stories]

    @property
    def is_open(self) -> bool:
        """True if a story is open, so that its card replaces the right column."""
        return self.story is not None

    @property
    def current(self) -> Step | None:
        """The open step, or None."""
        return self._now if self.is_open else None

    @property
    def large(self) -> bool:
        """True if the open step is about the right column's first picture."""
        return self.is_open and self._now.large

    @property
    def hides_answer(self) -> bool:
        """True if the answer of the open step has to stay hidden."""
        return self.is_open and self.step not in self.guesses

    @property
    def hides_words(self) -> bool:
        """True if the page's sentences would tell the answer of this step, or of a later one about the same state."""
        rest = enumerate(self.story.steps[self.step :], self.step) if self.is_open else ()
        asked = (i == self.step or self.navigation.is_current(step) for i, step in rest if i not in self.guesses)
        return any(asked)

    def hide_in_headline(self, headline: Callable[[Any, int], Markup]) -> Callable[[Any, int], Markup]:
        """Wrap a headline function (result, row) -> HTML so that it hides the answer while it has to stay hidden."""

        def told(result, row):
            if self.hides_answer:
                return markup("{}", VEIL)
            return markup("{}", LATER) if self.hides_words else headline(result, row)

        return told

    def begin(self, index: int) -> None:
        """Open a story at its first step."""
        self.open(self.owner.stories[index], 0)

    def give_room(self, beside: Any, right: Any, examples: Any) -> None:
        """Set the classes of the card's column, its pictures and the row of presets, so that the card has space."""
        classes = [name for name, there in (("told", self.is_open), ("large", self.large)) if there]
        for part, style in ((beside, BESIDE), (right, RIGHT), (examples, EXAMPLES)):
            if style not in part.stylesheets:
                part.stylesheets = [*part.stylesheets, style]
            part.css_classes = classes

    def words(self) -> dict[str, str]:
        """Return the query parameters with which a link opens the current step, empty if no story is open."""
        return {"story": self.story.key, "step": str(self.step + 1)} if self.story else {}

    # actions of the user

    def on_action(self, act: str, value: int) -> None:
        """Handle a press on the card.

        `act` is "guess", with the index of a choice or a stop as `value`; "go", with 1 for the next step and -1 for the
        last one; "return" to the step's state; "leave" the story; or "next story". The last three ignore `value`.
        """
        if act == "guess":
            self.guess(value)
        elif act == "go":
            self.go(value)
        elif act == "return":
            self.open(self.story, self.step)
        elif act == "leave":
            self.leave()
        elif act == "next story" and self._next is not None:
            self.begin(self._next)

    def open(self, story: Story, step: int) -> None:
        """Move the lab to a step of a story."""
        if story is not self.story:
            self._forget()
            self.unpin()
        self.param.update(story=story, step=step)
        lab, runtime = self.owner.lab, self.owner.runtime
        before = lab.values()
        self.navigation.go_to(story.steps[step])
        if lab.values() == before or not runtime.at_once:  # otherwise everything has followed the move
            self._show()

    def go(self, way: int) -> None:
        """Move by one step, forward (1) or back (-1), if there is one."""
        if self.story is not None and 0 <= self.step + way < len(self.story.steps):
            self.open(self.story, self.step + way)

    def guess(self, place: int) -> None:
        """Store the guess of the open step: an index of a choice or a stop, or SKIPPED. Only the first guess counts."""
        if self.hides_answer and self.navigation.is_current(self._now) and self._can_be(place):
            self.guesses[self.step] = place
            self._show()

    def leave(self) -> None:
        """Close the card. The lab keeps its state."""
        if self.is_open:
            self.story = None
            self._forget()
            self._show()

    def _forget(self):
        self.guesses, self.rights = {}, {}

    @property
    def _now(self) -> Any:
        return self.story.steps[self.step]

    @property
    def _next(self) -> int | None:
        """Index of the story after the open one, or None after the last one."""
        places = (i for i, story in enumerate(self.owner.stories[:-1]) if story is self.story)
        return next((i + 1 for i in places), None)

    def _can_be(self, place):
        return place == SKIPPED or 0 <= place < len(_choices(self._now.guess))

    def _show(self):
        """Update the card, the headline and the browser's sentences after the answer was hidden or revealed."""
        owner = self.owner
        with owner.hold():
            self._update_answer()
            owner.rest()
            if not owner.blank:
                self.display.write_headline(owner.result)

    def _update_answer(self):
        """Hide in the pictures what the question asks for, until the answer may be shown."""
        self.view.hide_answer(self.hides_answer)
        self.make_room()

    # content of the card

    def catch_up(self, result: Result[Any]) -> None:
        """Show the open step. Its answer is shown only while the lab is in the state of the step."""
        if self.story is not None:
            self.card.shown = self._card_content(result)
        self._update_answer()
        if self.card.visible != self.is_open:
            self.card.visible = self.is_open

    def _card_content(self, result):
        step, here = self._now, self.navigation.is_current(self._now)
        last = self.step == len(self.story.steps) - 1
        shown = {
            "title": translate(self.story.title),
            "step": translate("{} of {}", self.step + 1, len(self.story.steps)),
            "first": self.step == 0,
            "last": last,
            "asks": translate(step.asks),
            "words": _choices(step.guess),
            "places": translate(step.guess.name) if isinstance(step.guess, Place) else "",
            "astray": "" if here else translate(ASTRAY),
            "veiled": self.hides_answer,
        }
        if not here or self.hides_answer:
            return shown
        shown |= self._answer(result)
        return {**shown, "score": self._score(), "onward": self._onward()} if last else shown

    def _answer(self, result):
        """Return the answer's sentence and the comparison with the guess."""
        step, guess = self._now, self.guesses[self.step]
        answer = {"guess": guess, "says": step.answer(self.owner.story_values(result))}
        truth = None if step.guess is None else step.guess.truth(result)
        marked = -1 if isinstance(step.guess, Place) else truth  # index of the right choice; a scale has none
        if guess == SKIPPED:
            return {**answer, "truth": marked}
        if step.guess is None or truth is None:
            return {**answer, "verdict": translate(WAIT)}
        right, verdict = step.guess.verdict(guess, truth)
        self.rights[self.step] = right
        return {
            **answer,
            "verdict": verdict,
            "right": right,
            "truth": marked,
            "bar": draw_guess(step.guess, guess, truth) if isinstance(step.guess, Place) else "",
        }

    def _score(self):
        """Return how many guesses were right, of all steps or of those guessed at; "" without a guess."""
        guessed, steps = len(self.rights), len(self.story.steps)
        if not guessed:
            return ""
        right = sum(self.rights.values())
        if guessed == steps:
            return translate("You had {} of {} right.", right, steps)
        return translate("You guessed at {} of {} steps and had {} right.", guessed, steps, right)

    def _onward(self):
        """Return the label and link of the button after the last step: the next story here, or the next lab's first.

        Return None if the page has no server, because there is no other lab to go to.
        """
        if self._next is not None:
            return {"words": translate("Next story: {}", self.titles[self._next]), "link": ""}
        if pn.state.location is None:
            return None
        return onward_from(self.owner.name_of_lab)


class StoryCard(LocalizedComponent):
    """Card of one step of a story: the question, the choices or the scale, and the answer.

    `hear(act, value)` is called with the action that was pressed. A guess is the index of its choice; -1 asks for the
    answer without a guess.
    """

    shown: param.Dict[dict[str, Any]] = param.Dict({}, doc="the content of the card, as the script reads it")

    _module = "card"
    _esm = component("card.card")
    _stylesheets: ClassVar[list[str]] = [sheet("card")]
    _acts = ("guess", "go", "return", "leave", "next story")

    def __init__(self, hear: Callable[[str, int], None], **params: Any) -> None:
        super().__init__(**params)
        self.hear = hear
        self.on_msg(bind_language(self._on_message))

    def _on_message(self, event):
        message = event.data if isinstance(event.data, dict) else {}
        act, value = message.get("act"), message.get("value", 0)
        if act in self._acts and isinstance(value, int):
            self.hear(act, value)


def onward_from(name: str) -> dict[str, str]:
    """Return the label and link of the next lab's first story. The first lab follows the last one."""
    labs = [lab for lab in registry.names() if lab == name or content_of(lab).stories]
    lab = labs[(labs.index(name) + 1) % len(labs)]
    first = content_of(lab).stories[0]
    words = translate("Next story: {}, in the lab {}", translate(first.title), translate(registry.entry(lab).title))
    return {"words": words, "link": linked(f"{lab}?{urlencode({'story': first.key, 'step': 1})}")}


def _choices(guess):
    """Return the labels of the choices, or of the scale's stops."""
    if isinstance(guess, Place):
        return [guess.scale.write(stop) for stop in guess.scale.stops]
    return [] if guess is None else list(map(translate, guess.words))


def draw_guess(place: Place, guess: int, truth: float) -> Markup:
    """Return an SVG of a question's scale: a ring where the user placed the guess, a dot at the true value."""
    scale = place.scale
    placed, there = (EDGE + (WIDE - 2 * EDGE) * scale.part(value) for value in (scale.stops[guess], truth))
    words = translate(
        "{}: your guess {}, true value {}", translate(place.name), scale.write(scale.stops[guess]), scale.write(truth)
    )
    mark = markup(
        "<circle cy='26' r='6' fill='currentColor' stroke='currentColor' stroke-width='2' cx='{:.1f}'/>", there
    )
    return markup(
        "<svg viewBox='0 0 {} 52' role='img' aria-label='{}'><line x1='{}' x2='{}' y1='26' y2='26'"
        " stroke='currentColor' stroke-opacity='0.3'/><line x1='{:.1f}' x2='{:.1f}' y1='26' y2='26'"
        " stroke='currentColor' stroke-width='3'/>{}<circle cy='26' r='9' fill='none'"
        " stroke='currentColor' stroke-width='2' cx='{:.1f}'/>{}{}</svg>",
        WIDE,
        words,
        EDGE,
        WIDE - EDGE,
        placed,
        there,
        mark,
        placed,
        _label(placed, 11, translate("your guess")),
        _label(there, 48, scale.write(truth)),
    )


def _label(x, y, words):
    """Return a label above or below a mark, shifted to stay inside the picture."""
    x = min(max(x, 2.2 * EDGE), WIDE - 2.2 * EDGE)
    return markup(
        "<text x='{:.1f}' y='{}' text-anchor='middle' font-size='12' fill='currentColor'>{}</text>", x, y, words
    )
