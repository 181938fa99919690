"""`explore`: the controls of a model beside its picture. Nothing of Panel is loaded before it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, WrongType
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.printing import echo
from explorer.synonyms import explain_wrong_calls

if TYPE_CHECKING:
    from explorer.types import PointsLike


@explain_wrong_calls
def explore(model: Any, data: PointsLike | None = None) -> Any:
    """The controls of an estimator, a kernel or a lab beside its picture; `.value` is the model as it is now.

    model  an estimator or a kernel, whose estimate of a sample is drawn (a kernel's is the plain average, KME), or a
           lab, which opens as its page
    data   the sample (n, d) that is estimated from; None is 20 points of a mixture of two Gaussians on a line, whose
           kernel mean is known, so that the squared error |μ̂ - μ|² of the estimate is exact. Of a kernel or KME it may
           have any size: 2000 of the points are drawn, and where the function takes more than some two seconds KME has
           approximation="auto", whose error is said below the controls

    It is moved by hand, by `e.value = model` or by `e.move(lam=0.1)`, and each move draws once. What is drawn over a
    line are the functions; of other data, the weights of the points. Shown where it stands last in a cell; in a script
    `.show()` opens a browser, and `.servable()` is for `panel serve`. Raises TypeError for what has no such picture.

    >>> from explorer import SKMSE, explore
    >>> e = explore(SKMSE(lam=0.1))
    >>> e.move(lam=0.5, bandwidth=1.0)
    >>> e.value
    SKMSE(kernel=Gaussian(bandwidth=1.0), lam=0.5)
    """
    if isinstance(model, (Estimator, Kernel)):
        from .exploration import Exploration

        return Exploration(model, data)
    from explorer.workbench.lab import Lab

    if not isinstance(model, Lab):
        raise WrongType(f"explore takes an estimator, a kernel or a lab, such as SKMSE(), not {echo(model)}.")
    if data is not None:
        raise Refusal("a lab has its data among its fields; give data to an estimator or a kernel.")
    from .lab_exploration import LabExploration

    return LabExploration(model)
