"""Requirements of goodness-of-fit tests on a model: the gradient of its log density, and for one test samples of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.types import Matrix, Points, PointsLike


class HasScore(Protocol):
    """Model that knows its score, the gradient of its log density at X (n, d), shape (n, d)."""

    def score(self, X: Any, /) -> Any:
        """Return the score at points (n, d)."""
        ...


class FittedMixture(Protocol):
    """Fitted MixtureDensity, which is used as its mixture."""

    @property
    def mixture_(self) -> HasScore:
        """The fitted mixture."""
        ...


ModelLike: TypeAlias = HasScore | FittedMixture | Callable[[Points], PointsLike]


def score_at(model: ModelLike, X: Points) -> Matrix:
    """Return the model's score at X (n, d), checked to have shape (n, d)."""
    values = checks.numbers(_score_of(model)(X.copy()), "the model's score")
    n, d = X.shape
    if values.shape != (n, d) and not (d == 1 and values.shape == (n,)):
        raise Refusal(
            f"the model's score has shape {values.shape} at points of shape {X.shape}; give it that shape: it is the"
            " gradient of the log density, a row for each point and a column for each coordinate."
        )
    return values.reshape(n, d)


def sampler_of(model: ModelLike) -> Callable[[int, np.random.Generator], Points]:
    """Return a function (n, Generator) that draws points (n, d) of the model; raise an error if the model cannot."""
    law: Any = _law(model)
    if not callable(getattr(law, "sample", None)):
        raise WrongType(
            "null='parametric' draws samples of the model by its sample(n, rng), and"
            f" {checks.echo(model)} has none; take null='wild'."
        )
    return lambda n, rng: checks.sample(law.sample(n, rng=rng), "a sample of the model", n)


def _law(model):
    """Return the distribution of a model: a fitted density estimator is used as its mixture."""
    return getattr(model, "mixture_", model)


def _score_of(model: ModelLike) -> Callable[[Points], Any]:
    law: Any = _law(model)
    if not isinstance(law, type):
        if callable(score := getattr(law, "score", None)):
            return score
        if callable(law):
            return law
    raise WrongType(
        "model must have a score(X), as GaussianMixture and StudentT have, or be a function of X (n, d) that gives the"
        f" gradient of its log density, (n, d); {checks.echo(model)} is neither."
    )
