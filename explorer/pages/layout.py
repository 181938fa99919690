"""From the parts that a page declares to Panel's own: where each stands, and when it is there."""

from __future__ import annotations

import panel as pn

from .controls import NumberBox, NumberControl
from .declare import Part, word_and
from .narrow import folding


class Layout:
    """Builds the parts of one page, and afterwards shows and hides those that depend on the result."""

    def __init__(self, page, legend):
        self.page, self.legend = page, legend
        self.pictures = {}  # name -> the column that takes its figure when it is first seen
        self.conditions = []  # (part, when)
        self._folded = []

    def columns(self, *columns):
        """The columns of a page, one below the other where it is narrow."""
        built = [self.build(column) for column in columns]
        return pn.FlexBox(*built, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def stack(self, parts):
        """Parts one below the other."""
        return pn.Column(*self.each(parts), sizing_mode="stretch_width", margin=0)

    def build(self, part):
        """Panel's own of a part, which may be a name or be Panel's own already."""
        if isinstance(part, str):
            return self._named(part)
        return part.build(self) if isinstance(part, Part) else part

    def each(self, parts):
        """Panel's own of each part."""
        return [self.build(part) for part in parts]

    def column(self, column):
        """A Column, with what is wrong with a number box's word below, and the button that unfolds what is folded."""
        outer, self._folded = self._folded, []
        parts = self.each(column.inner)
        boxes = [c for c in self.page.controls.values() if not isinstance(c, NumberControl)]
        parts += [box.trouble for box in boxes if self._holds(column, box)]
        if self._folded:
            parts.append(folding(*self._folded))
        self._folded = outer
        return pn.Column(*parts, margin=0, styles={"flex": column.flex, "min-width": "0"})

    def fold(self, built):
        """Have a part folded away on a narrow page, until one asks for more controls."""
        self._folded.append(built.box if isinstance(built, NumberBox) else built)
        return built

    def turns(self, place):
        """The pictures that share a place."""
        return self._places([name for name, each in self.page.view.pictures.items() if each.place == place])

    def _holds(self, part, control):
        """Whether a control stands somewhere in a part."""
        if isinstance(part, str):
            return self.page.controls.get(part) is control
        return any(self._holds(each, control) for each in getattr(part, "inner", ()))

    def _named(self, name):
        page = self.page
        if name == "legend":
            return self.legend
        if name in page.controls:
            return page.controls[name]
        if name in page.choice:
            return word_and(page.choice[name], getattr(page.menus[name], "word", ""))
        if name in page.pressed:
            return page.pressed[name]
        if name in page.view.pictures:
            return self._places([name])
        return page.part(name)

    def _places(self, names):
        for name in names:
            self.pictures[name] = pn.Column(margin=0, sizing_mode="stretch_width", visible=False)
        return pn.Column(*(self.pictures[name] for name in names), margin=0, sizing_mode="stretch_width")

    def show(self, result):
        """Show the pictures and parts that a result asks for; a picture takes its figure when it is first seen."""
        seen, figures, hero = self.page.view.visible(result), self.page.view.figures, self.page.view.hero
        for name, place in self.pictures.items():
            # a picture that nobody has asked for costs a page its time to open; the hero has what the page needs
            if (name in seen or figures[name] is hero) and not place.objects:
                place.append(pn.pane.Bokeh(figures[name], sizing_mode="stretch_width"))
            if place.visible != (name in seen):
                place.visible = name in seen
        for part, when in self.conditions:
            if part.visible != (wanted := bool(when(result))):
                part.visible = wanted
