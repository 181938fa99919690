"""State of the adaptation lab: a source and a target that differ, and the remedy for the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.adaptation import CovariateShift
from explorer.checks import Refusal
from explorer.datasets import CHANGES, EFFECTS, domain_pair
from explorer.parameters import Choice, LogNumber, Real, Whole
from explorer.workbench import copied, derived
from explorer.workbench.conditions import having
from explorer.workbench.fields import picture_field, seed_field, size_field, tables
from explorer.workbench.kernels import bandwidth_field
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_samples import UserSamples

if TYPE_CHECKING:
    from explorer.datasets.toys.domains import DomainPair


REMEDIES = ("weights of x", "weights of y", "maps", "maps and weights")
USUAL = dict(zip(CHANGES, ("weights of x", "weights of y", "maps", "weights of x"), strict=True))
BOUNDS = log_steps(1, 1000)
FARTHEST, STEP = 3.0, 0.1  # largest shift of the slider, and the step between its stops
SHIFTS = [round(i * STEP, 10) for i in range(round(FARTHEST / STEP) + 1)]
TABLED = 100  # largest sample for which the maps, which are slow, are computed for every shift
COLUMNS = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_radius", "mean_compactness")}
CALLED = {
    "covariate": "In the target x has another distribution; y given x is the same",
    "target": "The target has other class proportions; x given y is the same",
    "location-scale": "In the target each class of y is stretched and moved in its own way",
    "concept": "In the target x has another distribution, and the mean of y given x has the opposite sign",
}
TESTED = 2000  # number of target points that score a line; none of them is used for learning


class AdaptationLab(UserSamples):
    """A line learnt from a source for a target whose y is unknown, without and with a remedy.

    The bandwidth is in units of the median distance of all x. `shift` is the distance of the target from the source. By
    change it is the centre of the target's x, the log-odds of y = 1, or the distance that each class is moved. In the
    treatment picture it is the distance of the treated from the controls.
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
        doc="how the target differs from the source, or the table of both",
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
        when=having(change=True),
    )
    remedy: str = Choice(
        default="weights of x", objects=list(REMEDIES), doc="the correction for the change", label="remedy"
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
        when=having(bounded=True),
    )
    domains: int = Whole(
        4,
        bounds=(1, 6),
        softbounds=(1, 6),
        step=1,
        symbol="domains",
        doc="number of domains in the DICA picture",
        label="domains",
        when=having(change=True),
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
        when=having(change=True),
    )
    hidden: float = Real(
        0.0,
        bounds=(0, 10),
        softbounds=(0, 2),
        step=0.1,
        symbol="hidden",
        doc="difference of the groups in an unmeasured cause of y, a confounder",
        label="unmeasured confounder",
        when=having(change=True),
    )
    seed: int = seed_field(3)

    def _check(self):
        super()._check()
        if self.known_by_gram:
            raise Refusal(
                "A line is learnt from columns, and a Gram matrix has none; use a table with columns instead."
            )

    @derived
    def change(self) -> Any:
        """Return the kind of change of the toy target, or None for tables."""
        return self.source if self.source in CHANGES else None

    @derived
    def bounded(self) -> bool:
        """Return whether the remedy weights single points, so that B bounds the weights."""
        return not self.remedy.startswith("maps")

    @derived
    def tabled(self) -> bool:
        """Return whether every shift gets a row as a deferred stage: not if one is slow, and not for tables."""
        return self.change is not None and (self.bounded or max(self.n, self.m) <= TABLED)

    @property
    def seeds(self) -> tuple[int, int]:
        """Seeds of source and target for a table."""
        return 2 * self.seed, 2 * self.seed + 1

    def the_pair(self, n: int | None = None, m: int | None = None, seed: int | None = None) -> DomainPair:
        """Return the toy DomainPair. A larger n or m keeps the existing points."""
        return domain_pair(self.change, self.shift, n or self.n, m or self.m, self.seed if seed is None else seed)

    def pair_at(self, shift: float) -> DomainPair:
        """Return the toy DomainPair at another shift."""
        return domain_pair(self.change, shift, self.n, self.m, self.seed)

    def the_columns(self, names: Sequence[str]) -> tuple[list[str], str]:
        """Return the columns of a table that are x (all except the last), and the last, which is y.

        Raises
        ------
        Refusal
            If there is only one column.
        """
        names = [name for name in COLUMNS[self.source] if name in names] if self.source in COLUMNS else list(names)
        if len(names) < 2:
            raise Refusal(
                "x and y need at least two columns, and there is only {}; choose more columns. The last numeric"
                " column is y.",
                names[0],
            )
        return names[:-1], names[-1]
