"""The extra estimator that the Shrinkage lab compares: any estimator with a label, also one that the user defined."""

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


NO_ESTIMATOR = "none"
ROLE = "robust"  # the role whose colour the estimator has
ESTIMATORS = {name: kind for name, kind in labelled().items() if name not in ("KME", "S-KMSE", "F-KMSE")}
LARGEST = 200  # the largest number of points at which n refits score an estimator that has no faster method


class ExtraLoss(NamedTuple):
    """Relative loss of the extra estimator, or the loss that leave-one-out estimates if no truth is known.

    Losses are relative to the plain average's. The loss is None if there is none; then `trouble` gives the reason.
    """

    loss: float | None
    trouble: str = ""


def estimator_of(lab: Any) -> Estimator | None:
    """Return the extra estimator without a kernel, or None if none is chosen.

    Raises
    ------
    Refusal
        If the estimator does not have the parameters of the state.
    """
    if lab.beside == NO_ESTIMATOR:
        return None
    return ESTIMATORS[lab.beside]() if lab.beside in ESTIMATORS else menu_models.estimators()[lab.beside].of(lab)


def score_of(estimator: Estimator, X: Points) -> float:
    """Return the leave-one-out score of an estimator with a kernel; open parameters are chosen on X, shape (n, d)."""
    if estimator.free is None:
        return float(estimator.loocv(X))
    chosen = estimator.select(X)
    return float(np.ravel(chosen.loocv(X, [getattr(chosen, estimator.free)]))[0])


def extra_loss(result: Any) -> ExtraLoss | None:
    """Return the relative loss of a result's extra estimator, or None if none is compared."""
    estimator = estimator_of(result.lab)
    if estimator is None:
        return None
    try:
        return ExtraLoss(_loss(result, estimator.replace(kernel=result.kernel)))
    except Refusal as refusal:
        return ExtraLoss(None, str(refusal))
    except Exception as error:  # a user-defined estimator may raise anything
        if type(estimator) in ESTIMATORS.values():
            raise
        return ExtraLoss(None, menu_models.describe_error(error))


def _loss(result, estimator):
    """Return the loss relative to the plain average's, or its leave-one-out estimate."""
    X, kernel, law = result.X, result.kernel, result.law
    plain: Any = KME(kernel)
    if law is None:
        if result.lab.beside not in ESTIMATORS and len(X) > LARGEST:
            told = "{} is scored by n refits, so n may be at most {}, not {}; take fewer points."
            raise Refusal(translate(told, result.lab.beside, LARGEST, len(X)))
        score = plain.loocv(X)
        return 1.0 if score == 0 else 1 + len(X) * (score_of(estimator, X) / score - 1)
    truth = law.embed(kernel)
    return estimator.embed(X).distance(truth) ** 2 / plain.embed(X).distance(truth) ** 2


def extra_words(result: Any) -> str | Markup:
    """Return a sentence on the extra estimator's loss, with a leading space, or "" if none is compared."""
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
    """Raise a Refusal if the kernel does not give a distribution's true kernel mean to enough digits."""
    if not of_a_law:
        return
    if not menu_models.embeds_gaussians(kernel):
        raise Refusal(
            translate(
                "The kernel '{}' has no expectations under Gaussian distributions, so no loss is known; take a table"
                " instead.",
                called,
            )
        )
    if source == "student" and not menu_models.is_smooth(kernel):
        told = "The kernel '{}' has a kink, so its mean under Student's t is known to few digits; take another source."
        raise Refusal(translate(told, called))
