"""The MONK lab as a page."""

from __future__ import annotations

from explorer.pages.adding import TakesPoints
from explorer.pages.declare import Button, Column, Flow, Group, Hero, Pictures, Small, Stack, Tabs, When
from explorer.pages.handles import dragged, telling
from explorer.pages.lighting import light_blocks
from explorer.pages.own.sides import TakesSides
from explorer.workbench.kernels import has_bandwidth, kernel_is_free

from .lab import ITERATIONS, MonkLab, second_factor, side

STRIPS = (0.06, 1.94)  # heights between which an outlier may be put
NEAREST = 0.5  # units of x from 0: as near as a hand takes planted outliers


def _pictures(lab):
    """The pictures that a state may show: the errors that one of them has, nobody knows of one's own pairs."""
    unknown = lab.laws == "file" and lab.picture != "quantiles"
    return {
        word: name for word, name in type(lab).fields["picture"].words.items() if name != "quantiles" or not unknown
    }


def _draws_others(result):
    """Whether another seed draws other pairs."""
    return not (result.sides and result.sides.whole)


class MonkPage(TakesPoints, TakesSides):
    """Pairs, their blocks and controls on the left, block means and a small picture on the right."""

    lab_class = MonkLab
    known = (("cliff", "quantiles"), "estimates")
    beside = "outliers"
    menus = {"picture": Pictures(_pictures)}  # noqa: RUF012, read only
    buttons = {  # noqa: RUF012, read only
        "fresh": Button("New sample", "draw_sample", "n", "draws a new sample", {"variant": "contained"}),
        "dice": Button("Re-block", "permute", "b", "permutes the pairs into other blocks", {"icon": "casino"}),
        "on": Button("Step", "go_on", "s", "goes one step on", {"icon": "skip_next"}),
        "take": Button("Remove outlier", "remove", "Delete", "removes the chosen outlier", {"icon": "backspace"}),
        "auto": Button("Lepski's Q", "choose_blocks"),
    }
    left = Column("pairs", Hero("strip", "blocks", below=("legend",)))
    right = Column(
        "values",
        Tabs("picture"),
        Small(),
        When(lambda result: result.lab.picture == "steps", Stack("iteration", "on")),
        flex="1 1 340px",
    )
    groups = (
        Group(
            "Pairs",
            "outliers",
            "distance",
            Flow("fresh", "take"),
            more=("pairs, N, shift, coordinates, seed", "laws", "x", "y", "planted", "n", "shift", "d", "seed"),
        ),
        Group("Kernel", "kernel", more=("bandwidth", "bandwidth")),
        Group("Blocks", Flow("dice"), more=("Lepski's Q, method", Flow("auto"), "method")),
    )
    data = "own"
    enabled = {  # noqa: RUF012, read only
        "bandwidth": has_bandwidth,
        "kernel": kernel_is_free,
        "take": lambda result: bool(result.lab.placed),
        "shift": lambda result: result.lab.laws == "normals",
        "d": lambda result: result.lab.laws == "normals",
        "fresh": _draws_others,
        "seed": _draws_others,
    }

    def grips(self):
        """The canvas takes outliers, and a block and its pairs light each other up."""
        s, pictures = self.view.sources, self.view.pictures
        light_blocks(pictures["strip"], pictures["pairs"], pictures["values"])
        self.take_points({"placed": [s["pairs.placed"]]}, {"planted": [s["pairs.planted"]]}, STRIPS)

    @telling
    def put(self, name, value):
        """Outliers were added to the canvas, or one was dragged or chosen there."""
        if name == "planted":
            self._lead(*dragged(value, len(self.view.sources["pairs.planted"].data["x"])))
        else:
            super().put(name, value)

    def _lead(self, row, x, height):
        """One of the planted outliers was dragged, and all go with it."""
        far = second_factor(self.lab.planted) if side(height) == "Q" else 1.0
        self.move("distance", distance=float(f"{max(x, NEAREST) / far:.6g}"))

    def quantities(self, result):
        """Planted outliers lie along the column that is drawn; so does a bandwidth where there is no other column."""
        first = result.axis._replace(dates=False) if result.sides else None
        alone = result.sides and result.pairs.X.shape[1] == 1 and first.is_scaled
        return {"distance": first, "bandwidth": first if alone else None}

    def permute(self):
        """Blocks of other pairs."""
        self.move(None, partition=self.lab.partition + 1)

    def go_on(self):
        """The next iteration, and after the last the first."""
        self.move("iteration", iteration=self.lab.iteration % ITERATIONS + 1, picture="steps")

    def choose_blocks(self):
        """The number of blocks that Lepski's method advises, unless the hand has moved on to other pairs by then."""
        result = self.result

        def take(blocks):
            if result.pairs is self.result.pairs:
                self.move("blocks", blocks=blocks)

        self.in_thread(result.advised_blocks, take)
