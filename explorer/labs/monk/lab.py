"""State of the MONK lab: pairs of two distributions, some of them contaminated, and the number of blocks that vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, Pareto
from explorer.kernels import FOUR
from explorer.parameters import Choice, LogNumber, Odd, Text, Whole
from explorer.types import Mask, Matrix, MonkMethod, Points
from explorer.workbench.conditions import having
from explorer.workbench.fields import dimension_field, outliers_field, picture_field
from explorer.workbench.kernels import has_bandwidth, kernel_field, kernel_is_free, refuse_beside_gram, spoken
from explorer.workbench.paired import PairedTables
from explorer.workbench.user_points import check_selected, placed

LAWS = ("normals", "paper", "pareto", "file")
ONE_DIMENSIONAL = ("paper", "pareto")
# The kernel EXP is missing: one outlier would exceed the range of floats under it.
KERNELS = (*FOUR, *(KINKED := ("LAP", "distance")))
ITERATIONS = 100  # the number of iterations of MONK by BCD and by BCD-Fast
SIDES = ("both", "P", "Q")  # the sides that may have planted outliers
LIKE = "[[12.5, 1.5], [-4, 0.5]], a first coordinate and a height from 0 to 1 for Q or to 2 for P"


def draws_others(result: Any) -> bool:
    """Return whether another seed draws other pairs."""
    return not (result.sides and result.sides.whole)


class MonkLab(PairedTables):
    """Pairs (x, y), some of them outliers, and the MMD by the U-statistic and by MONK of Q blocks.

    The truth is always that of the clean distributions. It is unknown for the user's pairs. Outliers replace the first
    coordinate of their rows: the k-th outlier placed by hand replaces that of row k, the planted ones those of the last
    rows. The other pairs stay the same.

    Parameters
    ----------
    lenient, gram, file, rows, hash, columns, missing, standardise : str, int or bool
        The user's table and its treatment, as in every lab of tables.
    file2, rows2, hash2 : str or int
        The user's second table.
    x, y, group : str
        The roles of the table's columns.
    laws : {"normals", "paper", "pareto", "file"}, default "normals"
        The distributions P and Q of the pairs, or the user's file.
    n : int, default 200
        The number of pairs.
    d : int, default 1
        The number of coordinates of a point.
    shift : float, default 0.8
        The distance of Q's mean from P's, in standard deviations.
    kernel : str, default "POLY2"
        The kernel.
    bandwidth : float, default 1.0
        The θ of a kernel that has one, in units of x.
    blocks : int, default 11
        The number of blocks that vote. It is odd.
    outliers : int, default 5
        The number of planted outliers, each in its pair.
    planted : {"both", "P", "Q"}, default "both"
        The samples that have the planted outliers.
    distance : float, default 10.0
        The distance of the planted outliers from 0, in units of x; twice that in Q if both samples have some.
    placed : str, default ""
        The outliers placed by hand, a JSON list of [first coordinate, height on the canvas].
    selected : int, default 0
        The selected one of the outliers placed by hand, counted from 1; 0 is none.
    method : {"direction", "bcd", "bcd-fast"}, default "direction"
        The method by which MONK finds its witness.
    iteration : int, default 1
        The step that is shown.
    partition : int, default 1
        The seed of the permutations that make the blocks.
    seed : int, default 1
        The seed of the sample.
    picture : str, default "cliff"
        The secondary picture.
    """

    slider = "blocks"
    aside: ClassVar[tuple[str, ...]] = ("picture",)
    chosen_anew: ClassVar[tuple[str, ...]] = ("n", "laws", "outliers", "blocks", "picture")
    laws: str = Choice(
        default="normals",
        objects={"two Gaussians": "normals", "the paper's": "paper", "Pareto(3), twice": "pareto", "your data": "file"},
        doc="the distributions P and Q of the pairs, or a file of your own",
        label="distributions",
    )
    n: int = Whole(200, bounds=(2, 2000), softbounds=(20, 500), symbol="N", doc="pairs", label="N pairs")
    d: int = dimension_field(1, 20, when=having(laws="normals"))
    shift: float = LogNumber(
        0.8,
        bounds=(0, 1e3),
        softbounds=(0.1, 3),
        unit="sd",
        symbol="shift",
        doc="distance of Q's mean from P's",
        label="shift of Q's mean, sd",
        when=having(laws="normals"),
    )
    kernel: str = kernel_field(names=KERNELS, default="POLY2", when=kernel_is_free)
    bandwidth: float = LogNumber(
        1.0,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(0.1, 10),
        unit="units of x",
        symbol="bandwidth",
        doc="θ of a kernel that has one",
        label="bandwidth θ",
        when=has_bandwidth,
    )
    blocks: int = Odd(11, bounds=(1, 2000), softbounds=(1, 41), symbol="Q", doc="number of blocks", label="Q blocks")
    outliers: int = outliers_field("planted outliers, in as many pairs", "planted outliers", 5, 20)
    planted: str = Choice(
        default="both",
        objects={"P and Q": "both", "P only": "P", "Q only": "Q"},
        doc="which sample has the planted outliers",
        label="outliers in",
    )
    distance: float = LogNumber(
        10.0,
        bounds=(0, 1e6),
        inclusive_bounds=(False, True),
        softbounds=(2, 2000),
        unit="units of x",
        symbol="distance",
        doc="distance of the planted outliers from 0; in Q twice that if both samples have outliers",
        label="distance of outliers",
    )
    placed: str = Text(
        default="", doc="outliers placed by hand, a JSON list of [first coordinate, height on the canvas]"
    )
    selected: int = Whole(
        0, bounds=(0, None), doc="which of the outliers placed by hand is selected, counted from 1; 0 is none"
    )
    method: MonkMethod = Choice(
        default="direction",
        objects={"best direction": "direction", "BCD": "bcd", "BCD-Fast": "bcd-fast"},
        doc="how MONK looks for its witness",
        label="MONK's witness",
    )
    iteration: int = Whole(
        1,
        bounds=(1, ITERATIONS),
        softbounds=(1, ITERATIONS),
        symbol="iteration",
        doc="which iteration is shown",
        label="iteration",
    )
    partition: int = Whole(
        1, bounds=(0, 2**32 - 1), symbol="partition", doc="seed of the permutations that make the blocks"
    )
    seed: int = Whole(
        1, bounds=(0, 2**31 - 1), symbol="seed", doc="seed of the sample", label="seed", when=draws_others
    )
    picture: str = picture_field(
        "cliff",
        "quantiles",
        "estimates",
        "steps",
        "embedding",
        cliff="error by outliers",
        estimates="estimators",
        steps="iterations",
        embedding="kernel mean",
    )

    def _check(self):
        super()._check()
        refuse_beside_gram(self)
        check_selected(self.selected, self.points, "outliers")
        outliers = self.outliers + len(self.points)
        if outliers > self.n:
            raise Refusal(
                "{} outliers need {} pairs, and n is {}; take fewer outliers or more pairs.", outliers, outliers, self.n
            )
        if self.blocks > self.n:
            raise Refusal(
                "{} blocks of {} pairs leave a block empty; take blocks <= {}, or a larger n.",
                self.blocks,
                self.n,
                self.n,
            )
        if self.method == "bcd-fast" and self.blocks // 2 > ITERATIONS // 3:
            most = 2 * (ITERATIONS // 3) + 1
            raise Refusal(
                "BCD-Fast visits more than half of its blocks, and {} iterations are enough for {} blocks, not"
                " for {}; take blocks <= {} or the method 'bcd'.",
                ITERATIONS,
                most,
                self.blocks,
                most,
            )
        if self.laws in ONE_DIMENSIONAL and self.d > 1:
            raise Refusal(
                "The distributions '{}' have one coordinate, and d is {}; take d = 1, or 'normals'.", self.laws, self.d
            )

        if self.laws == "pareto" and self.kernel in KINKED:
            raise Refusal(
                "The {} kernel has a kink, so its mean under Pareto's distribution is known only to five digits;"
                " take the kernel 'RBF', a polynomial kernel, or other distributions.",
                spoken(self.kernel),
            )

    @property
    def source(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride], a field of other labs
        """The origin of the pairs, under the name that other labs give this field."""
        return self.laws

    def fitting(self) -> dict[str, Any]:
        """Return the fields that fit the user's tables.

        There are at most as many pairs as the tables have, at most as many blocks as pairs, and no planted outliers.

        Returns
        -------
        dict of str to Any
            Field -> its value.
        """
        n = super().fitting()["n"]
        return {"n": n, "blocks": min(self.blocks, n - (n + 1) % 2), "outliers": 0}

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The outliers placed by hand: ((first coordinate, height on the canvas), ...)."""
        return placed(self.placed, (0, 2), LIKE)

    def the_laws(self) -> Any:
        """Return P and Q, or None for the user's pairs.

        They are normal distributions a shift apart in the first coordinate, the normal pair of Lerasle et al. 2019, or
        Pareto's distribution twice.

        Returns
        -------
        tuple of Law or None
            (P, Q).
        """
        if self.laws == "file":
            return None
        if self.laws == "pareto":
            return Pareto(3.0), Pareto(3.0)
        if self.laws == "paper":
            return GaussianMixture([1.0], [[0.35]], [0.45**2]), GaussianMixture([1.0], [[0.75]], [0.85**2])
        rest = [0.0] * (self.d - 1)
        return tuple(GaussianMixture([1.0], [[mean, *rest]], [1.0] * self.d) for mean in (0.0, self.shift))


def side(height: float) -> str:
    """Return the side whose strip holds a height of the canvas: Q up to 1, P above."""
    return "P" if height >= 1 else "Q"


def with_outliers(
    X: Points, Y: Points, outliers: int, planted: str, distance: float, points: Sequence[tuple[float, float]]
) -> tuple[Matrix, Matrix]:
    """Return copies of X and Y with their outliers.

    Parameters
    ----------
    X, Y : ndarray of shape (n, d)
        The clean samples.
    outliers : int
        The number of planted outliers, in the last rows.
    planted : {"both", "P", "Q"}
        The samples that have them.
    distance : float
        Their first coordinate in X. In Y it is twice that if both samples have planted outliers.
    points : sequence of (float, float)
        The outliers placed by hand: (first coordinate, height on the canvas). They replace the first rows.

    Returns
    -------
    X, Y : ndarray of shape (n, d)
        The contaminated samples.
    """
    X, Y, first = X.copy(), Y.copy(), len(X) - outliers
    for row, (x, height) in enumerate(points):
        (X if side(height) == "P" else Y)[row, 0] = x
    if planted != "Q":
        X[first:, 0] = distance
    if planted != "P":
        Y[first:, 0] = second_factor(planted) * distance
    return X, Y


def second_factor(planted: str) -> float:
    """Return the distance of Y's planted outliers as a multiple of `distance`."""
    return 2.0 if planted == "both" else 1.0


def contaminated(n: int, outliers: int, points: Sequence[tuple[float, float]]) -> Mask:
    """Return the mask of the pairs that hold an outlier, shape (n,)."""
    rows = np.arange(n)
    return (rows < len(points)) | (rows >= n - outliers)
