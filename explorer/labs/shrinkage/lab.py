"""State of the Shrinkage lab: a sample, a kernel, and the shrinkage of S-KMSE and F-KMSE."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings import GaussianMixture, StudentT
from explorer.embeddings.contamination import KINDS
from explorer.estimators import FKMSE, SKMSE, SpectralKMSE
from explorer.languages import translate
from explorer.parameters import Choice, Flag, LogNumber, Real, Text
from explorer.types import Constraint
from explorer.workbench import copied, derived, menu_models
from explorer.workbench.conditions import having
from explorer.workbench.fields import (
    UserTable,
    df_field,
    dimension_field,
    distance_field,
    outliers_field,
    picture_field,
    samples_field,
    seed_field,
    size_field,
    tables,
)
from explorer.workbench.kernel_choice import KernelChoice
from explorer.workbench.kernels import (
    bandwidth_field,
    has_bandwidth,
    kernel_field,
    kernel_is_free,
    refuse_beside_gram,
    spoken,
)
from explorer.workbench.samples import law_of, width_of
from explorer.workbench.slider_stops import log_steps
from explorer.workbench.user_points import moved_points

from .extra_estimator import ESTIMATORS, NO_ESTIMATOR, estimator_of, refuse_kernel

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet
    from explorer.embeddings.law import Law


LAWS = ("mixture", "gaussian", "student")
LAMS = log_steps(1e-4, 1e2)
COUPLED = 3  # the largest dimension in which a Laplacian's expectation under a mixture is known to 1e-6
# Sample sizes up to which n refits take a second or two: of one sample, and if more samples are drawn.
LARGEST_REFITS, LARGEST_REPEATED = 200, 30


def centre(text: str) -> tuple[float, float]:
    """Return the first two coordinates of the blob's centre from the text in a link, or the origin if it is empty.

    Raises
    ------
    ValueError
        If the text is not a centre.
    """
    try:
        x, y = map(float, json.loads(text)) if text else (0.0, 0.0)
    except (OverflowError, TypeError, ValueError):
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise Refusal("target_at must be like [0.5, -1], the first two coordinates of a centre, not {!r}.", text[:60])
    return x, y


def centre_at(x: float, y: float) -> str:
    """Return a centre as the text of a link, to six digits. A pointer is not more precise."""
    return json.dumps([float(f"{x:.6g}"), float(f"{y:.6g}")])


class Blob(NamedTuple):
    """N(c, s^2 I), whose kernel mean is the target f*. The first two coordinates of c are `at`; the others are 0."""

    at: tuple[float, float]
    spread: float
    d: int

    @classmethod
    def of(cls, text: str, source: GaussianMixture | StudentT | DataSet) -> Self:
        """Return a blob as wide as a distribution or table: s is its mean standard deviation, to three digits."""
        return cls(centre(text), float(f"{width_of(source):.3g}") or 1.0, source.d)

    @property
    def mean(self) -> list[float]:
        """The centre c, shape (d,)."""
        return [*self.at[: self.d], *[0.0] * (self.d - 2)]

    @property
    def law(self) -> GaussianMixture:
        """The blob as a distribution."""
        return GaussianMixture([1.0], [self.mean], self.spread**2 * np.eye(self.d))


@menu_models.takes_models(kernels=("kernel",), estimators={"beside": menu_models.as_it_is})
class ShrinkageLab(KernelChoice, UserTable):
    """Samples of a distribution or a table, and S-KMSE and F-KMSE of them over a range of λ.

    λ has one scale for all kernels: S-KMSE takes λ, F-KMSE λ times the mean of k(x, x). lam=None leaves each estimator
    at its own leave-one-out choice. Outliers replace the last rows of a sample; the loss is always to the true
    distribution, without them. With estimators="james-stein" the page shows James and Stein's estimate alone, which has
    no λ.
    """

    slider = "lam"
    default_stops: ClassVar[Sequence[float]] = LAMS
    aside: ClassVar[tuple[str, ...]] = ("samples", "picture", "multiples")
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "moved": ("source", "d", "mean", "df", "law_seed", "seed", "hash", "columns", "missing", "standardise")
    }
    source: str = Choice(
        default="mixture",
        objects={
            "mixture of four": "mixture",
            "one Gaussian": "gaussian",
            "Student's t": "student",
            **tables("your table"),
        },
        doc="what the sample is drawn from",
        label="sample of",
    )
    n: int = size_field(20, 2000, "points in the sample")
    d: int = dimension_field(when=having(toy=True))
    mean: float = LogNumber(
        0.0,
        bounds=(0, 1e6),
        softbounds=(0.05, 5),
        symbol="mean",
        doc="centre of the one Gaussian or Student's t, in every coordinate",
        label="mean",
        when=having(source=("gaussian", "student")),
    )
    df: float = df_field(when=having(source="student"))
    kernel: str = kernel_field(when=kernel_is_free)
    bandwidth: float = bandwidth_field(0.32, when=has_bandwidth)
    lam: float | None = copied(SKMSE, "lam", label="λ", when=having(only_stein=False))
    selection: Literal["leave-one-out", "theorem-4"] = copied(
        FKMSE, "selection", label="F-KMSE chooses λ by", when=having(only_stein=False)
    )
    filter: str = copied(SpectralKMSE, "filter", label="filter", when=having(only_stein=False))
    weights: Constraint = copied(FKMSE, "weights", label="weights", when=having(only_stein=False))
    target: str = Choice(
        default="zero",
        objects={"0": "zero", "a Gaussian's mean": "blob"},
        doc="what S-KMSE is shrunk towards",
        label="S-KMSE shrinks to",
        when=having(only_stein=False),
    )
    target_at: str = Text(default="", doc="the centre of the target, a JSON list of its first two coordinates")
    outliers: int = outliers_field("rows replaced by outliers", "outliers")
    distance: float = distance_field(10.0, "distance of the outliers from the mean", label="distance of outliers, sd")
    kind: Literal["far cluster", "point mass", "heavy tail"] = Choice(
        default=KINDS[0], objects=list(KINDS), doc="what the outliers look like", label="outliers are"
    )
    moved: str = Text(default="", doc="points moved by hand, a JSON map from a row to its first two coordinates")
    seed: int = seed_field()
    samples: int = samples_field()
    estimators: Literal["kernel", "james-stein"] = Choice(
        default="kernel",
        objects={"S-KMSE and F-KMSE": "kernel", "James-Stein": "james-stein"},
        doc="which estimators the page shows",
        label="show",
    )
    beside: str = Choice(
        default=NO_ESTIMATOR,
        objects={"nothing more": NO_ESTIMATOR, **{name: name for name in ESTIMATORS}},
        doc="a further estimator whose loss is shown",
        label="compare with",
        when=having(only_stein=False),
    )
    picture: str = picture_field(
        "filter",
        "coefficients",
        "risk",
        "objective",
        "errors",
        "values",
        "fits",
        "oracle",
        filter="kept",
        risk="variance and bias",
        objective="scores",
        errors="error bound",
        values="averages of functions",
        fits="conditional embeddings",
        oracle="no λ for all",
    )
    probe: float = Real(
        0.0,
        bounds=(-1e6, 1e6),
        softbounds=(-3, 3),
        step=0.1,
        symbol="t",
        unit="sd",
        label="t in sd",
        doc="where f = k(·, t) is centred: along the first coordinate, from the sample's mean",
    )
    bayesian: bool = Flag(
        default=False,
        label="Bayesian KME",
        doc="whether the posterior mean of a Gaussian process is shown too, with its band",
    )
    multiples: bool = Flag(
        default=False,
        label="triangles at λ = c γ₀",
        doc="whether multiples of the Gram matrix's smallest eigenvalue are marked along λ, as in the paper's figure",
    )
    delta: float = LogNumber(
        0.05,
        bounds=(1e-9, 1),
        softbounds=(1e-3, 0.5),
        symbol="δ",
        doc="how often the plain average's error may exceed its bound",
        label="δ of the bound",
    )
    law_seed: int = seed_field(symbol="distribution", doc="seed of the mixture's means and covariances")

    def _check(self):
        moved_points(self.moved)
        centre(self.target_at)
        if self.outliers >= self.n:
            told = "{} outliers need n of at least {}, and n is {}."
            raise Refusal(told, self.outliers, self.outliers + 1, self.n)
        self._check_stein()
        self._check_kernel()
        refuse_beside_gram(self)
        estimator_of(self)
        self._check_refits()
        self._check_weights()

    def _check_stein(self):
        """Check that James and Stein's estimate is defined in this state."""
        if self.only_stein and (self.source, self.kernel) != ("gaussian", "LIN"):
            raise Refusal(
                "James and Stein estimate the mean of one Gaussian distribution: take the source 'gaussian' with"
                " the kernel 'LIN', or the estimators 'kernel'."
            )

    def _check_kernel(self):
        """Check that the true kernel mean is known to enough digits."""
        self.refuse_kernels()
        self._refuse_offered(self.kernel)
        if self.source == "student" and self.kernel in ("LAP", "distance"):
            raise Refusal(
                "The kernel '{}' has a kink, so its mean under Student's t is known to five digits only; take the"
                " kernel 'RBF' or a polynomial one, or another source.",
                self.kernel,
            )
        if self.kernel == "LAP" and self.source == "mixture" and self.d > COUPLED:
            raise Refusal(
                "The Laplacian kernel's mean under a mixture has no closed form. Its numerical value is too"
                " rough for d above {}, and d is {}; take fewer coordinates, the source 'gaussian' or the kernel"
                " 'RBF'.",
                COUPLED,
                self.d,
            )

    def _refuse_offered(self, word):
        """Raise a Refusal of a menu kernel, not among the named ones, that gives no losses here."""
        if word in menu_models.kernels():
            refuse_kernel(self.one_kernel(word, 1.0, 2), spoken(word), self.source, self.source in LAWS)

    def kernels_that_fit(self) -> dict[str, str]:
        """Return the kernels that have losses here: the menu's label -> the kernel's name in a link."""
        return {called: word for called, word in type(self).fields["kernel"].words.items() if self._fits(word)}

    def _fits(self, word):
        try:
            self._refuse_offered(word)
        except Refusal:
            return False
        return True

    def _check_refits(self):
        """Check the sample size if every score takes n refits."""
        limit = LARGEST_REPEATED if self.samples else LARGEST_REFITS
        if self.filter != "tikhonov" and self.n > limit:
            further = translate(", and with more samples") if self.samples else ""
            raise Refusal(
                "The filter '{}' is scored by n refits, so{} n may be at most {}, not {}; take fewer points, or the"
                " filter 'tikhonov', which is F-KMSE.",
                self.filter,
                further,
                limit,
                self.n,
            )

    def _check_weights(self):
        """Check settings that do not go with constrained weights."""
        if self.weights != "free" and self.filter != "tikhonov":
            told = "weights '{}' go with the filter 'tikhonov' only; take weights 'free' for '{}'."
            raise Refusal(told, self.weights, self.filter)
        if self.weights != "simplex":
            return
        if self.target != "zero":
            told = "weights on the simplex only mix the points, so they have no target; take target 'zero'."
            raise Refusal(told)
        if self.source not in LAWS:
            raise Refusal(
                "weights on the simplex have no leave-one-out score, so the distribution must be known; take a"
                " mixture, a Gaussian or Student's t."
            )
        if self.n > LARGEST_REFITS:
            raise Refusal("n is {}; weights on the simplex are drawn for n up to {}.", self.n, LARGEST_REFITS)

    @derived
    def only_stein(self) -> bool:
        """True if James and Stein's estimate is shown alone."""
        return self.estimators == "james-stein"

    @property
    def played(self) -> str:
        """The field that the play button moves: λ, or the mean while James and Stein's estimate is shown alone."""
        return "mean" if self.only_stein else self.slider

    def the_law(self) -> Law | None:
        """Return the true distribution, or None for a table."""
        return law_of(self, self.source, self.mean)
