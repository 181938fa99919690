"""A further estimator that the Shrinkage lab compares: any that has a label, one's own among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.estimators import KME, labelled
from explorer.languages import translate
from explorer.markup import markup
from explorer.workbench import menu_models
from explorer.workbench.numbers import compared
from explorer.workbench.prose import named

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator
    from explorer.kernels.base import Kernel
    from explorer.markup import Markup
    from explorer.types import Points


NOBODY = "none"
ROLE = "robust"  # whose colour it has
FURTHER = {name: kind for name, kind in labelled().items() if name not in ("KME", "S-KMSE", "F-KMSE")}
LARGEST = 200  # points up to which n refits score an estimator that has no faster way


class Beside(NamedTuple):
    """Its loss relative to the plain average's or, where no truth is known, what leave-one-out estimates of that.

    None where it has none, and then `trouble` says why.
    """

    loss: float | None
    trouble: str = ""


def estimator_of(lab: Any) -> Estimator | None:
    """The further estimator, without a kernel; None where there is none. A Refusal where it has no such parameters."""
    if lab.beside == NOBODY:
        return None
    return FURTHER[lab.beside]() if lab.beside in FURTHER else menu_models.estimators()[lab.beside].of(lab)


def score_of(estimator: Estimator, X: Points) -> float:
    """The leave-one-out score of an estimator with a kernel, what it leaves open chosen on X (n, d)."""
    if estimator.free is None:
        return float(estimator.loocv(X))
    chosen = estimator.select(X)
    return float(np.ravel(chosen.loocv(X, [getattr(chosen, estimator.free)]))[0])


def beside_of(result: Any) -> Beside | None:
    """The Beside of a result; None where nothing more is compared."""
    estimator = estimator_of(result.lab)
    if estimator is None:
        return None
    try:
        return Beside(_loss(result, estimator.replace(kernel=result.kernel)))
    except Refusal as refusal:
        return Beside(None, str(refusal))
    except Exception as error:  # of an estimator of one's own, which may raise anything
        if type(estimator) in FURTHER.values():
            raise
        return Beside(None, menu_models.describe_error(error))


def _loss(result, estimator):
    """The loss, or what leave-one-out estimates of it, relative to the plain average's."""
    X, kernel, law = result.X, result.kernel, result.law
    plain: Any = KME(kernel)
    if law is None:
        if result.lab.beside not in FURTHER and len(X) > LARGEST:
            told = "{} is scored by n refits, so n may be at most {}, not {}; take fewer points."
            raise Refusal(translate(told, result.lab.beside, LARGEST, len(X)))
        score = plain.loocv(X)
        return 1.0 if score == 0 else 1 + len(X) * (score_of(estimator, X) / score - 1)
    truth = law.embed(kernel)
    return estimator.embed(X).distance(truth) ** 2 / plain.embed(X).distance(truth) ** 2


def beside_words(result: Any) -> str | Markup:
    """How the further estimator fares, a sentence with a space before it; empty where there is none."""
    beside = result.beside
    if beside is None:
        return ""
    name = named(result.lab.beside, ROLE)
    if beside.loss is None:
        return markup(" {} has no loss here: {}", name, beside.trouble)
    gain = compared(1 - beside.loss)
    if result.law is None:
        return markup(" By leave-one-out {} has {} {} the plain average.", name, gain.error, gain.joint)
    return markup(" {} has {} {} the plain average.", name, gain.error, gain.joint)


def refuse_kernel(kernel: Kernel, called: str, source: str, of_a_law: bool) -> None:
    """A Refusal of a kernel under which the true kernel mean of a distribution is not known to enough digits."""
    if not of_a_law:
        return
    if not menu_models.embeds_gaussians(kernel):
        told = "The kernel '{}' has no expectations under Gaussian distributions, so no loss is known; take your table."
        raise Refusal(translate(told, called))
    if source == "student" and not menu_models.is_smooth(kernel):
        told = "The kernel '{}' has a kink, so its mean under Student's t is known to few digits; take another source."
        raise Refusal(translate(told, called))
