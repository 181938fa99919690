"""The pictures of a lab on its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks.description import describe_picture
from explorer.marks.legend import answers_of, keys_of
from explorer.types import Matrix

from .bokeh_picture import BokehPicture
from .style import Painter, change

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from explorer.marks import Picture
    from explorer.marks.legend import Key
    from explorer.marks.mark import Numbers


class View:
    """The pictures of a lab on a page; the first is the main one, which also carries what the whole page needs.

    A hidden picture is neither computed nor sent.

    Parameters
    ----------
    pictures : iterable of Picture
        The pictures.
    result : Result
        The first result.
    dark : bool, default False
        Whether the background is dark.
    """

    def __init__(self, pictures: Iterable[Picture], result: Any, dark: bool = False) -> None:
        self.paint: Painter = Painter(dark)
        self.pictures: dict[str, BokehPicture] = {
            each.name: BokehPicture(each, result, self.paint) for each in pictures
        }
        for each in self.pictures.values():
            self.paint(each.plot, "ground", "background_fill_color", "border_fill_color")
        self.hero: figure = next(iter(self.pictures.values())).plot
        self._targets = [(each.name, *key) for each in self.pictures.values() for key in each.slider_columns(result)]

    def scale_text(self, factor: float) -> None:
        """Draw all text of the pictures `factor` times as large as originally.

        Parameters
        ----------
        factor : float
            The factor.
        """
        for each in self.pictures.values():
            each.letters.scale(factor)

    def hide_answer(self, on: bool) -> None:
        """Hide the answer to a story's question in all pictures, or show it.

        Parameters
        ----------
        on : bool
            Whether to hide it.
        """
        for each in self.pictures.values():
            each.hide_answer(on)

    @property
    def figures(self) -> dict[str, figure]:
        """Name -> figure."""
        return {name: each.plot for name, each in self.pictures.items()}

    @property
    def slots(self) -> dict[str, list[figure]]:
        """Slot -> the figures that share it."""
        shared = {}
        for name, each in self.pictures.items():
            shared.setdefault(each.slot or name, []).append(each.plot)
        return shared

    def visible_in(self, result: Any, place: str) -> BokehPicture | None:
        """Return the picture that a result shows in a slot, or None.

        Parameters
        ----------
        result : Result
            The result.
        place : str
            The slot.

        Returns
        -------
        BokehPicture or None
            The picture.
        """
        inside = (
            each for name, each in self.pictures.items() if (each.slot or name) == place and each.is_visible(result)
        )
        return next(inside, None)

    @property
    def sources(self) -> dict[str, ColumnDataSource]:
        """Sources by "picture.source"."""
        return {f"{name}.{key}": source for name, each in self.pictures.items() for key, source in each.sources.items()}

    def visible(self, result: Any) -> set[str]:
        """Return the names of the pictures that a result shows.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        set of str
            The names.
        """
        return {name for name, each in self.pictures.items() if each.is_visible(result)}

    def waits(self, result: Any) -> bool:
        """Return whether a visible picture needs a deferred stage that is not computed yet.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if its picture would be incomplete.
        """
        return any(self.pictures[name].waits(result) for name in self.visible(result))

    def columns(self, result: Any) -> Numbers:
        """Return "picture.source" -> columns of the visible pictures.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict
            The columns.
        """
        numbers = self.numbers(result)
        return {f"{name}.{source}": columns for name, each in numbers.items() for source, columns in each.items()}

    def numbers(self, result: Any) -> dict[str, Numbers]:
        """Return name -> source -> column -> array of the visible pictures.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict
            The numbers.
        """
        return {name: each.data(result) for name, each in self.pictures.items() if each.is_visible(result)}

    def legends(self, result: Any, numbers: Mapping[str, Numbers], veiled: bool = False) -> dict[str, list[Key]]:
        """Return name -> legend entries of each visible picture that has a legend.

        Parameters
        ----------
        result : Result
            The result.
        numbers : mapping
            Their numbers.
        veiled : bool, default False
            Whether to leave out answers to a story's question.

        Returns
        -------
        dict of str to list of Key
            The entries.
        """
        seen = {name: each.of for name, each in self.pictures.items() if name in numbers and each.of.legend}
        answers = [answers_of(each, result, numbers[name]) for name, each in seen.items()] if veiled else []
        hidden = set[str]().union(*answers)
        return {name: keys_of(each, result, numbers[name], hidden) for name, each in seen.items()}

    def words(self, result: Any, numbers: Mapping[str, Numbers]) -> dict[str, list[str]]:
        """Return name -> sentences of each visible picture.

        Parameters
        ----------
        result : Result
            The result.
        numbers : mapping
            Their numbers.

        Returns
        -------
        dict of str to list of str
            The sentences.
        """
        seen = {name: each.of for name, each in self.pictures.items() if name in numbers}
        return {name: describe_picture(each, result, numbers[name]) for name, each in seen.items()}

    def label(self, words: Mapping[str, Sequence[str]]) -> None:
        """Set the accessible labels of figures. Their role is a figure, as some contain elements that take keys.

        Parameters
        ----------
        words : mapping of str to sequence of str
            The sentences by picture.
        """
        for name, sentences in words.items():
            change(self.figures[name], html_attributes={"role": "figure", "aria-label": " ".join(sentences)})

    @property
    def targets(self) -> list[tuple[str, str]]:
        """("picture.source", column) of everything that the browser may draw by itself."""
        return [(f"{name}.{source}", column) for name, source, column in self._targets]

    def answers(self, result: Any) -> bool:
        """Return whether the browser can draw all visible pictures by itself.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it can.
        """
        return all(self.pictures[name].table_is_complete for name in self.visible(result))

    def tables(self, result: Any) -> dict[tuple[str, str], Matrix]:
        """Return ("picture.source", column) -> rows of the visible pictures; those of the others are empty.

        A table of one row holds for every stop.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        dict of tuple to ndarray
            The rows.
        """
        seen = self.visible(result)
        tables = {name: self.pictures[name].table(result) for name in seen}
        rows = max([len(result.stops), 1, *(len(t) for table in tables.values() for t in table.values())])
        every = {
            (n, *key): np.broadcast_to(t, (rows, t.shape[1])) if len(t) == 1 else t
            for n, table in tables.items()
            for key, t in table.items()
        }
        nothing = np.zeros((rows, 0))
        return {(f"{n}.{s}", c): every.get((n, s, c), nothing) for n, s, c in self._targets}

    def show(self, result: Any, overdrawn: bool = False) -> None:
        """Update what changed and, if the browser drew by itself, everything that it may have changed.

        Parameters
        ----------
        result : Result
            The result.
        overdrawn : bool, default False
            Whether the browser drew by itself.
        """
        for name in self.visible(result):
            self.pictures[name].show(result, {(s, c) for n, s, c in self._targets if n == name and overdrawn})

    def pin(self, result: Any) -> None:
        """Show a pinned result in the pictures, faintly, or remove it.

        Parameters
        ----------
        result : Result or None
            The pinned result; None for none.
        """
        for each in self.pictures.values():
            each.pin(result)
