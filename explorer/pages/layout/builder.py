"""From the parts that a page declares to Panel's own: where each stands, and when it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import panel as pn

from explorer.browser import sheet
from explorer.languages import translate
from explorer.markup import markup
from explorer.pages.interaction.drag import when_sized
from explorer.pages.widgets.number import NumberControl
from explorer.pages.widgets.play_button import PlayButton

from .declarations import Part, Switch, closed, in_a_row, opener_of
from .lazy import LazyParts
from .markup_pane import html
from .theme import NARROW

if TYPE_CHECKING:
    from explorer.pages.protocol import Page
    from explorer.workbench.result import Result

    from .declarations import Column, Group, MainSlider
    from .markup_pane import Text

# pictures grow with the window; a column says by --share how much of its height one takes
FIGURE = sheet("figure")
LARGE = {"--share": "66vh", "--narrow": "60vh"}
HERO, FIRST, FURTHER = (
    {"--share": "calc(49vh + 6px)", "--narrow": "244px"},
    {"--share": "26vh", "--narrow": "240px"},
    {"--share": "24vh", "--narrow": "190px"},
)
MIDDLE = ":host > * { align-self: center !important; }"  # each says for itself that it stands at the start
HELD: dict[str, Any] = {"margin": 0, "styles": {"gap": "10px"}, "stylesheets": [MIDDLE]}
MOVER: dict[str, Any] = {"margin": 0, "sizing_mode": "stretch_width", "stylesheets": [sheet("mover"), MIDDLE]}
LOW = 150  # px: what is drawn so low is as high in every window
# a story's card and the pictures under it are as high as the hero, so that nothing below moves when an answer comes
BESIDE = f"""
:host(.told) {{ max-height: calc(49vh + 40px); overflow-y: auto; }}
{NARROW} {{ :host(.told) {{ max-height: none; }} }}
"""
# the small picture first: most steps of stories speak of it
UNDER = ":host(.told) { flex-direction: column-reverse; } :host(.told.large) { flex-direction: column; }"
GROUPS = f"""
:host {{ border-top: 1px solid var(--line); padding-top: 6px; margin-top: 4px; }}
{NARROW} {{ :host {{ flex-wrap: wrap; }} }}
"""


class Layout:
    """Builds the parts of one page, and afterwards shows and hides those that depend on the result."""

    def __init__(self, page: Page, legend: Text) -> None:
        self.page = page
        self.legend = legend
        self.pictures: dict[str, pn.Column] = {}  # name -> the column that takes its figure when it is first seen
        self.left: Any = None  # the left column: the large picture and its slider
        self.right: Any = None  # the right column's pictures
        self.below: Any = None  # the groups of controls
        self.beside: Any = None  # the right column: a story's card above the pictures
        self._first = None  # the place of the large picture
        self._hero = HERO  # what it takes of the window
        self.conditions: list[tuple[Any, Callable[[Any], object]]] = []  # (part, when)
        self.unseen: LazyParts = LazyParts()
        self._closed = []  # the places of what is there when asked for
        self._rows = False  # whether what is built is a row of a group
        self._shares = iter(())  # how much of the window's height the next pictures take

    def columns(self, left: Any, right: Any, *above: Any) -> pn.FlexBox:
        """The columns of a page, one below the other where it is narrow; some parts stand on top of the right one."""
        self.left, self.right = self.build(left), self.build(right)
        self.beside = pn.Column(*above, self.right, margin=0, styles=self.right.styles, stylesheets=[BESIDE])
        self.right.param.update(styles={"min-width": "0"}, stylesheets=[UNDER])
        return pn.FlexBox(self.left, self.beside, gap="4px 28px", margin=0, sizing_mode="stretch_width")

    def groups(self, *groups: Any) -> pn.FlexBox:
        """The groups of controls, side by side where there is room, and the button for what is wanted seldom."""
        built = [self.build(group) for group in groups]
        row = pn.FlexBox(*built, gap="4px 28px", margin=0, sizing_mode="stretch_width", styles={"flex": "1 1 300px"})
        ends = [opener_of(self._closed, self.unseen.build)] if self._closed else []
        self.below = pn.Row(row, *ends, margin=0, sizing_mode="stretch_width", stylesheets=[GROUPS])
        return self.below

    def stack(self, parts: Iterable[Any]) -> pn.Column:
        """Parts one below the other."""
        return pn.Column(*self.each(parts), sizing_mode="stretch_width", margin=0)

    def build(self, part: Any) -> Any:
        """Panel's own of a part, which may be a name or be Panel's own already."""
        if isinstance(part, str):
            return self._named(part)
        return part.build(self) if isinstance(part, Part) else part

    def each(self, parts: Iterable[Any]) -> list[Any]:
        """Panel's own of each part."""
        return [self.build(part) for part in parts]

    def loosely(self, parts: Iterable[Any]) -> list[Any]:
        """Panel's own of each part, none of them a row of its own."""
        rows, self._rows = self._rows, False
        built = self.each(parts)
        self._rows = rows
        return built

    def column(self, column: Column) -> pn.Column:
        """A Column, with what is wrong with a number box's word below; the left one begins with the large picture."""
        self._shares = chain([HERO if column is self.page.left else FIRST], repeat(FURTHER))
        parts = [*self.each(column.inner), *self._troubles(column)]
        return pn.Column(*parts, margin=0, styles={"flex": column.flex, "min-width": "0"})

    def mover(self, mover: MainSlider) -> pn.Column:
        """A Mover: the slider with its name, ends, box and Play in one row, or in two under its own axis."""
        page, control = self.page, self.page.sliders[mover.slider]
        control.lead(below=bool(mover.along))
        play = page.players[mover.slider] = PlayButton.over(control, page.pacer.request, mover.pace)
        held = (control.name_of(), control.box, play, *self.each(mover.beside))
        if mover.along:
            middle = pn.Row(*held, css_classes=["held"], **HELD)
            low, high = control.ends
            row = pn.Row(low, middle, high, css_classes=["along"], **MOVER)
            parts = [control.slider, row]
            when_sized(page.view.figures[mover.along], "alignment.align", slider=control.slider, row=row)
        else:
            name, *rest = held
            parts = [pn.Row(name, control.slider, *rest, **MOVER)]
        return pn.Column(*parts, control.trouble, margin=0, sizing_mode="stretch_width")

    def group(self, group: Group) -> pn.Column:
        """A Group: its title and a row for each control; one that has nothing but `more` comes with these."""
        self._rows = True
        title = html(markup("<div class='group'>{}</div>", translate(group.title)), margin=0, sizing_mode=None)
        parts, more = self.each(group.parts), self.each(group.more)
        self._rows = False
        place = {"styles": {"flex": f"1 1 {group.wide}px", "min-width": "0"}}
        if not parts:
            whole = closed(title, *more, *self._troubles(group), **place, sizing_mode=None)
            self._closed.append(whole)
            return whole
        if more:
            self._closed.append(closed(*more))
            parts.append(self._closed[-1])
        return pn.Column(title, *parts, *self._troubles(group), margin=0, **place)

    def turns(self, place: str) -> pn.Column:
        """The pictures that share a place."""
        return self._places([name for name, each in self.page.view.pictures.items() if each.place == place])

    def _troubles(self, part):
        """Where what is wrong with the words of a part's number boxes is said; a slider has its own place for it."""
        boxes = [c for c in self.page.controls.values() if not isinstance(c, NumberControl)]
        return [box.trouble for box in boxes if self._holds(part, box)]

    def _holds(self, part, control):
        """Whether a control stands somewhere in a part."""
        if isinstance(part, str):
            return self.page.controls.get(part) is control
        return any(self._holds(each, control) for each in getattr(part, "inner", ()))

    def _named(self, name):
        page = self.page
        if name == "legend":
            return self.legend
        if name in page.controls or name in page.choice:
            return self._control(name)
        if name in page.pressed:
            return page.pressed[name]
        if name in page.view.pictures:
            return self._places([name])
        return page.part(name)

    def _control(self, name):
        """A slider with its box, a box or a menu."""
        control = self.page.controls.get(name) or self.page.choice[name]
        if (
            self._rows
            and not isinstance(control, NumberControl)
            and not isinstance(self.page.choosers.get(name), Switch)
        ):
            in_a_row(getattr(control, "box", control))
        return control

    def _places(self, names):
        for name in names:
            self.pictures[name] = pn.Column(margin=0, sizing_mode="stretch_width", visible=False)
            self.page.view.figures[name].stylesheets = [FIGURE]
        inner, share = (self.pictures[name] for name in names), next(self._shares, FURTHER)
        if len(names) == 1 and (low := self.page.view.figures[names[0]].height) < LOW:
            share = {"--share": f"calc({low}px * var(--written, 1))", "--narrow": f"{low}px"}
            self._make_room(low)
        place = pn.Column(*inner, margin=0, sizing_mode="stretch_width", styles=share)
        if share is HERO:
            self._first = place
        return place

    def _make_room(self, low):
        """Let the large picture be lower on a telephone, by what stands between it and its slider: one sees both."""
        self._hero = {**HERO, "--narrow": f"calc({HERO['--narrow']} - {low}px)"}
        self.enlarge(False)

    def enlarge(self, large: bool) -> None:
        """Give the first picture most of the window, or its share again."""
        if self._first is not None:
            self._first.styles = {**self._first.styles, **(LARGE if large else self._hero)}

    def hide(self, name: str) -> None:
        """Take a control off the page."""
        for part in self.page.bindings.widgets(name):
            part.visible = False

    def show(self, result: Result[Any]) -> None:
        """Show the pictures and parts that a result asks for; a picture takes its figure when it is first seen."""
        seen, figures, hero = self.page.view.visible(result), self.page.view.figures, self.page.view.hero
        for name, place in self.pictures.items():
            # a picture that nobody has asked for costs a page its time to open; the hero has what the page needs
            if (name in seen or figures[name] is hero) and not place.objects:
                place.append(pn.pane.Bokeh(figures[name], sizing_mode="stretch_width"))
            if place.visible != (name in seen):
                place.visible = name in seen
        for part, when in self.conditions:
            wanted = bool(when(result))
            if wanted:
                self.unseen.build(part)
            if part.visible != wanted:
                part.visible = wanted

    def leave_out(self) -> None:
        """Leave out what the page does not show at first, until it does."""
        hidden = [part for part, _ in self.conditions if not part.visible and hasattr(part, "objects")]
        self.unseen.defer([*hidden, *self._closed], self.page.view.figures.values())
