"""Builder of a page's layout: turns the declared parts into Panel objects, and shows those that the result asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import panel as pn
from panel.links import Callback

from explorer.browser import sheet
from explorer.languages import translate
from explorer.markup import markup
from explorer.pages.interaction.drag import when_sized
from explorer.pages.widgets.number import NumberControl
from explorer.pages.widgets.play_button import PlayButton
from explorer.views.legend import legend

from .declarations import Part, Switch, WrapRow, closed, in_a_row, opener_of
from .markup_pane import html
from .theme import NARROW

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from explorer.marks.legend import Key
    from explorer.pages.page_protocol import Page
    from explorer.views.view import View
    from explorer.workbench.result import Result

    from .declarations import Column, Group, MainPicture, MainSlider
    from .markup_pane import Text

# Pictures grow with the window. A column sets in --share how much of its height a picture takes.
FIGURE = sheet("figure")
LARGE = {"--share": "66vh", "--narrow": "60vh"}
HERO, FIRST, FURTHER = (
    {"--share": "calc(49vh - 8px)", "--narrow": "244px"},
    {"--share": "26vh", "--narrow": "240px"},
    {"--share": "24vh", "--narrow": "190px"},
)
ALONE = {**FIRST, "--share": "calc(49vh - 36px)"}  # if it is the only one of its column that is visible
MIDDLE = ":host > * { align-self: center !important; }"  # each part would otherwise align itself at the start
HELD: dict[str, Any] = {"margin": 0, "styles": {"gap": "10px"}, "stylesheets": [MIDDLE]}
MOVER: dict[str, Any] = {"margin": 0, "sizing_mode": "stretch_width", "stylesheets": [sheet("mover"), MIDDLE]}
LOW = 150  # a picture lower than this, in px, has the same height in every window
# A story's card and the pictures below it are together as high as the large picture, so that nothing below moves when
# an answer appears.
BESIDE = f"""
:host(.told) {{ max-height: calc(49vh + 26px); overflow-y: auto; }}
{NARROW} {{ :host(.told) {{ max-height: none; }} }}
"""
# The small picture comes first, because most steps of stories are about it.
UNDER = ":host(.told) { flex-direction: column-reverse; } :host(.told.large) { flex-direction: column; }"
# The buttons of a group are at the right end of its first row, so that they take no row of their own; without a control
# they are next to its title.
BUTTONS = f"""
:host {{ align-items: center; gap: 2px 12px; }}
:host > * {{ margin: 0 !important; }}
:host(.first) > :not(:last-child) {{ flex: 1 1 200px !important; min-width: 0; }}
:host(.first) > :last-child {{ flex: none !important; width: max-content !important; }}
{NARROW} {{ :host {{ flex-wrap: wrap; }} }}
"""
GROUPS = f"""
:host {{ border-top: 1px solid var(--line); padding-top: 6px; margin-top: 4px; }}
{NARROW} {{ :host {{ flex-wrap: wrap; }} }}
"""


class Layout:
    """Builds the parts of one page, and later shows and hides those that depend on the result.

    Parameters
    ----------
    page : LabPage
        The page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.view: View = page.view
        self.legends: dict[tuple[str, ...], Text] = {}  # names of the pictures in a place -> their legend below it
        # name -> the column that gets its figure when it first becomes visible
        self.pictures: dict[str, pn.Column] = {}
        self.left: Any = None  # the left column: the large picture and its slider
        self.right: Any = None  # the right column's pictures
        self.below: Any = None  # the row of the groups of controls, if there is one
        self.beside: Any = None  # the right column: a story's card above the pictures
        self._first = None  # the column of the large picture
        # the shares of the window's height that the large picture takes, also in a lecture
        self._usual, self._large = dict(HERO), dict(LARGE)
        self.conditions: list[tuple[Any, Callable[[Any], object]]] = []  # (part, condition of the result)
        self.unseen: LazyParts = LazyParts()
        self._closed = []  # columns of rarely used controls
        self._rows = False  # whether the part that is being built is a row of a group
        self._side_by_side = False  # whether the part that is being built is one of the groups below the columns
        # (a place for pictures in the right column, the names of its pictures, its share of the window's height)
        self._right_places: list[tuple[Any, set[str], dict[str, str]]] = []
        self._is_right = False  # whether the column that is being built is the right one
        self._shares = iter(())  # shares of the window's height for the next pictures

    def columns(self, left: Any, right: Any, *above: Any) -> pn.FlexBox:
        """Build both columns, one below the other on a narrow page; `above` are parts at the top of the right one."""
        self.left, self.right = self.build(left), self.build(right)
        self.beside = pn.Column(*above, self.right, margin=0, styles=self.right.styles, stylesheets=[BESIDE])
        self.right.param.update(styles={"min-width": "0"}, stylesheets=[UNDER])
        return pn.FlexBox(self.left, self.beside, gap="4px 28px", margin=0, sizing_mode="stretch_width")

    def groups(self, *groups: Any) -> list[pn.Row]:
        """Build the row below the columns: groups side by side if they fit, and the button for rarely used settings.

        The button opens those of the columns' groups too, which are built first. Without both there is no row.
        """
        self._side_by_side = True
        built = self.each(groups)
        self._side_by_side = False
        row = pn.FlexBox(*built, gap="4px 28px", margin=0, sizing_mode="stretch_width", styles={"flex": "1 1 300px"})
        ends = [opener_of(self._closed, self.unseen.build)] if self._closed else []
        if built or ends:
            self.below = pn.Row(row, *ends, margin=0, sizing_mode="stretch_width", stylesheets=[GROUPS])
        return [] if self.below is None else [self.below]

    def stack(self, parts: Iterable[Any]) -> pn.Column:
        """Build parts, one below the other."""
        return pn.Column(*self.each(parts), sizing_mode="stretch_width", margin=0)

    def build(self, part: Any) -> Any:
        """Return the Panel object of a part. The part may be a name, or a Panel object already."""
        if isinstance(part, str):
            return self._named(part)
        return part.build(self) if isinstance(part, Part) else part

    def each(self, parts: Iterable[Any]) -> list[Any]:
        """Return the Panel object of each part."""
        return [self.build(part) for part in parts]

    def build_outside_rows(self, parts: Iterable[Any]) -> list[Any]:
        """Return the Panel object of each part, without giving each a row of its own."""
        rows, self._rows = self._rows, False
        built = self.each(parts)
        self._rows = rows
        return built

    def column(self, column: Column) -> pn.Column:
        """Build a Column, with the errors of its number boxes below; the left one begins with the large picture."""
        self._is_right = column is self.page.right
        self._shares = chain([HERO if column is self.page.left else FIRST], repeat(FURTHER))
        parts = [*self.each(column.inner), *self._troubles(column)]
        return pn.Column(*parts, margin=0, styles={"flex": column.flex, "min-width": "0"})

    def main_picture(self, main: MainPicture) -> pn.Column:
        """Build a MainPicture. Its slider is between the picture and its legend."""
        place, *further = self.each(main.inner[:2])
        legends = [each for each in place if each in self.legends.values()]
        place.objects = [each for each in place if each not in legends]
        parts = (place, *further, *legends, *self.each(main.inner[2:]))
        return pn.Column(*parts, sizing_mode="stretch_width", margin=0)

    def explain(self, keys: Mapping[str, Sequence[Key]]) -> None:
        """Show the legend of each visible picture: name -> its entries."""
        for names, pane in self.legends.items():
            shown = legend([key for name in names for key in keys.get(name, ())])
            pane.param.update(object=shown, visible=bool(shown))

    def mover(self, mover: MainSlider) -> pn.Column:
        """Build a MainSlider: slider, name, ends, box and Play button in one row, or in two below its axis."""
        page, control = self.page, self.page.sliders[mover.slider]
        pacer = page.pacer
        control.lead(below=bool(mover.along))
        play = page.players[mover.slider] = PlayButton.over(control, pacer.request, mover.pace)
        held = (control.name_of(), control.box, play, *self.each(mover.beside))
        if mover.along:
            middle = pn.Row(*held, css_classes=["held"], **HELD)
            low, high = control.ends
            row = pn.Row(low, middle, high, css_classes=["along"], **MOVER)
            parts = [control.slider, row]
            stops = [] if mover.whole else list(control.steps)
            when_sized(self.view.figures[mover.along], "alignment.align", slider=control.slider, row=row, stops=stops)
        else:
            name, *rest = held
            parts = [pn.Row(name, control.slider, *rest, **MOVER)]
        return pn.Column(*parts, control.trouble, margin=0, sizing_mode="stretch_width")

    def group(self, group: Group) -> pn.Column:
        """Build a Group: its title, and a row for each control, the first with the group's buttons.

        A group that has only `more` is hidden with them.
        """
        self._rows = True
        buttons = [part for part in group.parts if isinstance(part, WrapRow)]
        title = html(markup("<div class='group'>{}</div>", translate(group.title)), margin=0, sizing_mode=None)
        rows = [part for part in group.parts if part not in buttons]
        parts, more = self.each(rows), self.each(group.more)
        if buttons:
            in_row = partial(pn.Row, margin=0, sizing_mode="stretch_width", stylesheets=[BUTTONS])
            if parts:
                self._shorten_label(rows[0])
                parts[0] = in_row(parts[0], *self.each(buttons), css_classes=["first"])
            else:
                title = in_row(title, *self.each(buttons))
        self._rows = False
        wide = {"flex": f"1 1 {group.wide}px"} if self._side_by_side else {}  # in a column it would be a height
        place = {"styles": {"min-width": "0", **wide}}
        if not parts and not buttons:
            whole = closed(title, *more, *self._troubles(group), **place, sizing_mode=None)
            self._closed.append(whole)
            return whole
        if more:
            self._closed.append(closed(*more))
            parts.append(self._closed[-1])
        return pn.Column(title, *parts, *self._troubles(group), margin=0, **place)

    def _shorten_label(self, name):
        """Give a slider next to a button the space that its label leaves free."""
        control = self.page.controls.get(name) if isinstance(name, str) else None
        if isinstance(control, NumberControl):
            control.slider.css_classes = [*control.slider.css_classes, "brief"]

    def picture_slot(self, place: str) -> pn.Column:
        """Build the pictures that share a slot."""
        return self._places([name for name, each in self.view.pictures.items() if each.slot == place])

    def _troubles(self, part):
        """Return the error messages of a part's number boxes; a slider places its message itself."""
        controls = self.page.controls
        boxes = [control for control in controls.values() if not isinstance(control, NumberControl)]
        return [box.trouble for box in boxes if self._holds(part, box)]

    def _holds(self, part, control):
        """Return whether a part contains a control, directly or in its inner parts."""
        if isinstance(part, str):
            controls = self.page.controls
            return controls.get(part) is control
        return any(self._holds(each, control) for each in getattr(part, "inner", ()))

    def _named(self, name):
        page = self.page
        if name in page.controls or name in page.choice:
            return self._control(name)
        if name in page.pressed:
            return page.pressed[name]
        if name in self.view.pictures:
            return self._places([name])
        return page.part(name)

    def _control(self, name):
        """Return a slider with its box, a box or a menu."""
        page = self.page
        control = page.controls[name] if name in page.controls else page.choice[name]
        is_switch = name in page.choosers and isinstance(page.choosers[name], Switch)
        if self._rows and not isinstance(control, NumberControl) and not is_switch:
            in_a_row(getattr(control, "box", control))
        return control

    def _places(self, names):
        for name in names:
            self.pictures[name] = pn.Column(margin=0, sizing_mode="stretch_width", visible=False)
            self.view.figures[name].stylesheets = [FIGURE]
        inner, share = (self.pictures[name] for name in names), next(self._shares, FURTHER)
        if len(names) == 1 and (low := self.view.figures[names[0]].height or LOW) < LOW:
            share = {"--share": f"calc({low}px * var(--written, 1))", "--narrow": f"{low}px"}
            self._make_room(low)
        legend_below = self.legends[tuple(names)] = html("", margin=(0, 0, 4, 0), visible=False)
        place = pn.Column(*inner, legend_below, margin=0, sizing_mode="stretch_width", styles=share)
        if share is HERO:
            self._first = place
        if self._is_right:
            self._right_places.append((place, set(names), share))
        return place

    def _make_room(self, low):
        """Lower the large picture, so that it and the low picture below it fit above the slider."""
        for shares in (self._usual, self._large):
            shares.update({name: f"calc({share} - {low}px * var(--written, 1))" for name, share in shares.items()})
        self.enlarge(False)

    def enlarge(self, large: bool) -> None:
        """Give the first picture most of the window, or its normal share."""
        if self._first is not None:
            self._first.styles = {**self._first.styles, **(self._large if large else self._usual)}

    def hide(self, name: str) -> None:
        """Hide a control."""
        bindings = self.page.bindings
        for part in bindings.widgets(name):
            part.visible = False

    def show(self, result: Result[Any]) -> None:
        """Show the pictures and parts that a result needs. A picture gets its figure when it first becomes visible."""
        seen, figures, hero = self.view.visible(result), self.view.figures, self.view.hero
        for name, place in self.pictures.items():
            # A picture that is not visible would slow down opening. The main picture is always built, because the
            # page's scripts need it.
            if (name in seen or figures[name] is hero) and not place.objects:
                place.append(pn.pane.Bokeh(figures[name], sizing_mode="stretch_width"))
            if place.visible != (name in seen):
                place.visible = name in seen
        visible = [place for place, names, _ in self._right_places if names & seen]
        for place, _, share in self._right_places:
            wanted = ALONE if visible == [place] and len(self._right_places) > 1 else share
            if place.styles != wanted:
                place.styles = wanted
        for part, when in self.conditions:
            wanted = bool(when(result))
            if wanted:
                self.unseen.build(part)
            if part.visible != wanted:
                part.visible = wanted

    @property
    def deferred(self) -> list[Any]:
        """All parts whose creation is still deferred, with the parts inside them."""
        return self.unseen.parts()

    def leave_out(self) -> None:
        """Defer the creation of parts that the page does not show at first."""
        hidden = [part for part, _ in self.conditions if not part.visible and hasattr(part, "objects")]
        self.unseen.defer([*hidden, *self._closed], self.view.figures.values())


class LazyParts:
    """Hidden containers of a page, with the parts that each gets when it is first shown.

    Bokeh models of hidden parts are made only then, so that the page opens faster.
    """

    def __init__(self):
        self._deferred_children = {}  # container -> its parts

    def defer(self, places: Iterable[Any], figures: Iterable[figure]) -> None:
        """Remove the parts of hidden containers for now, except where a figure's script needs one of them."""
        scripts = [script for figure in figures for script in Callback.registry.get(figure, [])]
        asked = {id(value) for script in scripts for value in (script.args or {}).values()}
        for place in places:
            if asked.isdisjoint(map(id, place.select())):
                self._deferred_children[place], place.objects = list(place.objects), []

    def build(self, place: Any) -> None:
        """Give a container its parts, which may be containers themselves."""
        if place in self._deferred_children:
            place.objects = self._deferred_children.pop(place)

    def parts(self) -> list[Any]:
        """Return all parts that are still deferred, with the parts inside them."""
        return [each for kept in self._deferred_children.values() for part in kept for each in part.select()]
