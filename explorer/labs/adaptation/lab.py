"""The Adaptation lab's state: a source and a target that differ, and what is done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.adaptation import CovariateShift
from explorer.checks import Refusal
from explorer.datasets import CHANGES, EFFECTS, domain_pair
from explorer.parameters import Choice, LogNumber, Real, Whole
from explorer.workbench import copied, derived
from explorer.workbench.fields import picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.steps import log_steps
from explorer.workbench.user_samples import UserSamples

from .cost import works

if TYPE_CHECKING:
    from explorer.datasets.toys.domains import DomainPair
    from explorer.workbench.cost import CostItem


REMEDIES = ("weights of x", "weights of y", "maps", "maps and weights")
USUAL = dict(zip(CHANGES, ("weights of x", "weights of y", "maps", "weights of x"), strict=True))
BOUNDS = log_steps(1, 1000)
FARTHEST, STEP = 3.0, 0.1  # of the slider's shifts, and from one stop to the next
SHIFTS = [round(i * STEP, 10) for i in range(round(FARTHEST / STEP) + 1)]
TABLED = 100  # points of the source up to which maps, which take long, are found for every shift
COLUMNS = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_radius", "mean_compactness")}
CALLED = {
    "covariate": "The target draws x from another distribution; y given x is the same",
    "target": "The target has other class proportions; x given y is the same",
    "location-scale": "In the target each class of y is stretched and moved in its own way",
    "concept": "The target draws x from another distribution, and y given x is turned upside down",
}
TESTED = 2000  # points of the target that a line is scored on, which nobody learns from


class AdaptationLab(UserSamples):
    """A line learnt from a source, for a target whose y nobody has: without a remedy, and with one.

    The bandwidth counts in medians of the distances of all x. `shift` is how far the target lies from the source: where
    its x is centred, the logarithm of the odds of y = 1, or how far each class is moved; in the picture of a treatment,
    how far the treated lie from the controls.
    """

    slider = "shift"
    default_stops: ClassVar[Sequence[float]] = SHIFTS
    picture: str = picture_field(
        "weights", "bound", "samples", "domains", "treatment", bound="bound B", samples="20 samples"
    )
    source: str = Choice(
        default="covariate",
        objects={
            "covariate shift": "covariate",
            "target shift": "target",
            "location-scale": "location-scale",
            "concept shift": "concept",
            **tables("your data"),
        },
        doc="how the target differs, or where both come from",
        label="what changes",
    )
    n: int = size_field(100, 500, "points of the source", least=5, label="n points of the source")
    m: int = size_field(100, 500, "points of the target", least=5, symbol="m", label="m points of the target")
    shift: float = Real(
        1.0,
        bounds=(-20, 20),
        softbounds=(0, FARTHEST),
        step=STEP,
        symbol="shift",
        doc="how far the target is shifted",
        label="shift",
    )
    remedy: str = Choice(
        default="weights of x", objects=list(REMEDIES), doc="what is done about the difference", label="remedy"
    )
    bandwidth: float = bandwidth_field(0.5)
    bound: float = copied(
        CovariateShift,
        "bound",
        default=1000.0,
        bounds=(1, 1e6),
        softbounds=(1, 1000),
        infinite=False,
        symbol="B",
        inclusive_bounds=(True, True),
        label="B largest weight",
    )
    domains: int = Whole(
        4,
        bounds=(1, 6),
        softbounds=(1, 6),
        step=1,
        symbol="domains",
        doc="domains of the DICA picture",
        label="domains",
    )
    size: float = LogNumber(
        100.0,
        bounds=(0, 1e6),
        inclusive_bounds=(False, True),
        softbounds=(0.1, 1e4),
        symbol="size",
        doc="factor of DICA's kernel: a larger one gives the domains' differences more weight",
        label="size of DICA's kernel",
    )
    effect: str = Choice(
        default="mean",
        objects=dict(zip(("raises y", "spreads y", "none"), EFFECTS, strict=True)),
        doc="what the treatment does to the outcome y",
        label="effect of the treatment",
    )
    hidden: float = Real(
        0.0,
        bounds=(0, 10),
        softbounds=(0, 2),
        step=0.1,
        symbol="hidden",
        doc="how far apart the groups are in a cause of y that nobody measured",
        label="unmeasured cause",
    )
    seed: int = seed_field(3)

    def _check(self):
        super()._check()
        if self.known_by_gram:
            raise Refusal(
                "A line is learnt from columns, and a Gram matrix has none; use a table with columns instead."
            )

    @property
    def cost(self) -> list[CostItem]:
        """What a result takes, a Work each, from the fields alone."""
        return works(self)

    @derived
    def change(self) -> Any:
        """How the toy target differs, None for tables."""
        return self.source if self.source in CHANGES else None

    @derived
    def bounded(self) -> bool:
        """Whether the remedy has weights of single points, which B bounds."""
        return not self.remedy.startswith("maps")

    @derived
    def tabled(self) -> bool:
        """Whether every shift has a row, once the controls rest: not where one takes long, and not for tables."""
        return self.change is not None and (self.bounded or max(self.n, self.m) <= TABLED)

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of source and target of a table."""
        return 2 * self.seed, 2 * self.seed + 1

    def the_pair(self, n: int | None = None, m: int | None = None, seed: int | None = None) -> DomainPair:
        """The toy DomainPair; a larger n or m keeps the points that were there."""
        return domain_pair(self.change, self.shift, n or self.n, m or self.m, self.seed if seed is None else seed)

    def pair_at(self, shift: float) -> DomainPair:
        """The toy DomainPair at another shift."""
        return domain_pair(self.change, shift, self.n, self.m, self.seed)

    def the_columns(self, names: Sequence[str]) -> tuple[list[str], str]:
        """The columns of a table that are x, all but the last, and y, the last; Refusal where there is one alone."""
        names = [name for name in COLUMNS[self.source] if name in names] if self.source in COLUMNS else list(names)
        if len(names) < 2:
            raise Refusal(
                f"x and y take two columns at least, and there is only {names[0]}; choose more columns. The last"
                " numeric column is y."
            )
        return names[:-1], names[-1]
