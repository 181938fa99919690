"""From the parts that a page declares to Panel's own: where each stands, and when it is there."""

from __future__ import annotations

import panel as pn

from .controls import NumberBox, NumberControl
from .declare import Column, Flow, Fold, Pair, Small, Stack, When, word_and
from .narrow import abreast, flowing, folding


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
        return pn.Column(*self._each(parts), sizing_mode="stretch_width", margin=0)

    def build(self, part):
        """Panel's own of a declared part."""
        if isinstance(part, str):
            return self._named(part)
        if isinstance(part, Column):
            return self._column(part)
        if isinstance(part, Pair):
            return abreast(*self._each(part.parts))
        if isinstance(part, Stack):
            return self.stack(part.parts)
        if isinstance(part, Flow):
            return flowing(*self._each(part.parts))
        if isinstance(part, Fold):
            built = self.build(part.part)
            self._folded.append(built.box if isinstance(built, NumberBox) else built)
            return built
        if isinstance(part, When):
            built = self.build(part.part)
            self.conditions.append((built, part.when))
            return built
        if isinstance(part, Small):
            return self._places([n for n, p in self.page.view.pictures.items() if p.place == part.place])
        return part

    def _each(self, parts):
        return [self.build(part) for part in parts]

    def _column(self, column):
        outer, self._folded = self._folded, []
        parts = self._each(column.parts)
        parts += [
            c.trouble for c in self.page.controls.values() if not isinstance(c, NumberControl) and self._uses(column, c)
        ]
        if self._folded:
            parts.append(folding(*self._folded))
        self._folded = outer
        return pn.Column(*parts, margin=0, styles={"flex": column.flex, "min-width": "0"})

    def _uses(self, part, control):
        """Whether a number box stands somewhere in a part; what is wrong with its word is said below."""
        if isinstance(part, str):
            return self.page.controls.get(part) is control
        inner = getattr(part, "parts", None) or (getattr(part, "part", None),)
        return any(self._uses(each, control) for each in inner if each is not None)

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
        seen, figures = self.page.view.visible(result), self.page.view.figures
        for name, place in self.pictures.items():
            if name in seen and not place.objects:  # a picture that nobody has asked for costs a page its time to open
                place.append(pn.pane.Bokeh(figures[name], sizing_mode="stretch_width"))
            if place.visible != (name in seen):
                place.visible = name in seen
        for part, when in self.conditions:
            if part.visible != (wanted := bool(when(result))):
                part.visible = wanted
