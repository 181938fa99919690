"""Story mode: a few steps through a lab, each a link of its own."""

from __future__ import annotations

from html import escape

import panel as pn
import panel_material_ui as pmui

from .text import html

ASTRAY = "You have moved on from this step; Back and Next lead to the story's own states."


class StoryBar(pn.viewable.Viewer):
    """Buttons that begin a story, and the step that is open with Back and Next. `owner` is the page."""

    def __init__(self, owner, **params):
        super().__init__(**params)
        self.owner, self.story, self.step = owner, None, 0
        self.titles = [story.title for story in owner.stories]
        self.text = html("", margin=0, styles={"flex": "1 1 420px", "min-width": "0"})
        self.back = pmui.Button(label="Back", variant="outlined", size="small", on_click=lambda event: self.go(-1))
        self.next = pmui.Button(label="Next", variant="contained", size="small", on_click=lambda event: self.go(1))
        self.close = pmui.Button(
            label="Leave the story", variant="text", size="small", on_click=lambda event: self.leave()
        )
        hands = pn.FlexBox(self.back, self.next, self.close, gap="8px", margin=(8, 0), styles={"flex": "0 0 auto"})
        self.card = pn.FlexBox(
            self.text,
            hands,
            visible=False,
            gap="4px 16px",
            margin=(6, 0),
            styles={"flex": "1 1 340px", "min-width": "0"},
        )

    def __panel__(self):
        return self.card

    def begin(self, index):
        """Open a story at its first step."""
        self.open(self.owner.stories[index], 0)

    def words(self):
        """What a link says of the story."""
        return {"story": self.story.key, "step": str(self.step + 1)} if self.story else {}

    def open(self, story, step):
        """Put the lab where a step is."""
        self.story, self.step = story, step
        self.owner.open(story.steps[step])
        self.owner.rest()  # a step may be where the lab is already

    def go(self, way):
        """One step on or back."""
        self.open(self.story, self.step + way)

    def leave(self):
        """The lab stays where it is."""
        self.story = None
        self.owner.rest()

    def catch_up(self, result):
        """Show the step that is open; its answer holds while the lab is where the step put it."""
        if self.card.visible != (self.story is not None):
            self.card.visible = self.story is not None
            self.owner.frame.make_room()
        if self.story is None:
            return
        step, last = self.story.steps[self.step], len(self.story.steps) - 1
        here = self.owner.is_at(step)
        says = step.says.format(**self.owner.told(result)) if here else ASTRAY
        self.text.object = (
            f"<div class='story'><b>{escape(self.story.title)}, {self.step + 1} of {last + 1}.</b> {escape(step.asks)}"
            f"<details><summary>The answer</summary>{escape(says)}</details></div>"
        )
        self.back.disabled, self.next.disabled = self.step == 0, self.step == last
