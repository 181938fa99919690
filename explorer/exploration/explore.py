"""`explore`: the controls of a model next to its picture. Panel is loaded only when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, WrongType
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.printing import echo
from explorer.public_names.synonyms import explain_wrong_calls

if TYPE_CHECKING:
    from explorer.types import PointsLike


@explain_wrong_calls
def explore(model: Any, data: PointsLike | None = None) -> Any:
    """Show the controls of an estimator, a kernel or a lab next to its picture.

    Use it in a notebook. For a picture without controls use `plot`.

    Parameters
    ----------
    model : Estimator, Kernel or Lab
        An estimator or a kernel, whose estimate of a sample is drawn (a kernel's is the plain average, KME), or a lab,
        which
        opens as its page.
    data : array_like of shape (n, d) or None, default None
        The sample to estimate from. None takes 20 points of a mixture of two Gaussians on a line, whose kernel mean is
        known, so that the squared error |μ̂ - μ|² of the estimate is exact. A kernel or KME supports any size: 2000 of
        the
        points are drawn, and if the function takes more than some two seconds, KME has approximation="auto" and the
        page
        states its error below the controls.

    Returns
    -------
    exploration : Exploration or LabExploration
        `.value` is the current model. The user moves it by the controls, code by `e.value = model` or
        `e.move(lam=0.1)`, and
        each move draws once.

    Raises
    ------
    TypeError
        If the model has no such picture.
    Refusal
        If data are given with a lab, which has its data among its fields.

    Notes
    -----
    On a line the picture shows the functions, for other data the weights of the points. A notebook shows the result as
    the
    last value of a cell. In a script `.show()` opens a browser, and `.servable()` is for `panel serve`.

    Examples
    --------
    >>> from explorer import SKMSE, explore
    >>> e = explore(SKMSE(lam=0.1))
    >>> e.move(lam=0.5, bandwidth=1.0)
    >>> e.value
    SKMSE(kernel=Gaussian(bandwidth=1.0), lam=0.5)
    """
    if isinstance(model, (Estimator, Kernel)):
        from .model_exploration import Exploration

        return Exploration(model, data)
    from explorer.workbench.lab import Lab

    if not isinstance(model, Lab):
        raise WrongType(f"explore takes an estimator, a kernel or a lab, such as SKMSE(), not {echo(model)}.")
    if data is not None:
        raise Refusal("a lab has its data among its fields; give data to an estimator or a kernel.")
    from .lab_exploration import LabExploration

    return LabExploration(model)
