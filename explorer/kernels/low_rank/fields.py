"""Fields of a model that may use a kernel of finite rank: its kind, its rank and its seed."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import param

from explorer.checks import Refusal
from explorer.parameters import Whole, owner_of
from explorer.printing import echo

Approximation: TypeAlias = Literal["auto", "cholesky", "nystrom", "features"]
APPROXIMATIONS = ("auto", "cholesky", "nystrom", "features")


class ApproximationField(param.Selector[Any]):
    """One of APPROXIMATIONS, or None for the exact kernel."""

    def _validate(self, val):
        refuse_unknown(val, owner_of(self))

    def word(self, value: str | None) -> str:
        """Return the value as a link writes it."""
        return "none" if value is None else value

    def parse(self, text: str) -> str | None:
        """Return the value that a word in a link stands for."""
        return None if text.strip().lower() in ("none", "") else text


def refuse_unknown(approximation: str | None, name: str = "approximation") -> None:
    """Refuse an unknown approximation; None, the exact kernel, passes.

    Parameters
    ----------
    approximation : str or None
        The value to check.
    name : str, default "approximation"
        Name of the argument in the message.

    Raises
    ------
    ValueError
        If it is not an approximation.

    Examples
    --------
    >>> from explorer.kernels.low_rank import refuse_unknown
    >>> refuse_unknown("nystrom")
    >>> try:
    ...     refuse_unknown("lanczos")
    ... except ValueError as refusal:
    ...     print(refusal)
    approximation must be 'auto', 'cholesky', 'nystrom', 'features', or None for the exact kernel, not 'lanczos'.
    """
    if approximation is not None and not (isinstance(approximation, str) and approximation in APPROXIMATIONS):
        raise Refusal(
            f"{name} must be {', '.join(map(repr, APPROXIMATIONS))}, or None for the exact kernel, not"
            f" {echo(approximation)}."
        )


def refuse_rank_alone(approximation: str | None, rank: int | None) -> None:
    """Refuse a rank without an approximation that uses it.

    Parameters
    ----------
    approximation : str or None
        The approximation.
    rank : int or None
        The rank.

    Raises
    ------
    ValueError
        If a rank is given and the approximation is None or "auto".

    Examples
    --------
    >>> from explorer.kernels.low_rank import refuse_rank_alone
    >>> refuse_rank_alone("nystrom", 20)
    >>> try:
    ...     refuse_rank_alone(None, 20)
    ... except ValueError as refusal:
    ...     print(str(refusal).split(";")[0])
    rank=20 has no meaning without an approximation
    """
    if approximation is None and rank is not None:
        raise Refusal(
            f"rank={echo(rank)} has no meaning without an approximation; give approximation='cholesky', 'nystrom' or"
            " 'features' too, or leave rank at None."
        )
    if approximation == "auto" and rank is not None:
        raise Refusal(
            f"approximation='auto' finds the rank by itself, and rank={echo(rank)} was given; leave rank at None, or"
            " give approximation='cholesky', 'nystrom' or 'features'."
        )


def approximation_field() -> Any:
    """Return a parameter for a model: the name of an approximation by a kernel of finite rank, or None for none.

    Returns
    -------
    param.Parameter
        The parameter.

    Examples
    --------
    >>> from explorer.model import Model
    >>> from explorer.kernels.low_rank import approximation_field
    >>> class Mine(Model):
    ...     approximation = approximation_field()
    >>> Mine(approximation="nystrom").approximation, Mine.param.approximation.objects
    ('nystrom', [None, 'auto', 'cholesky', 'nystrom', 'features'])
    """
    return ApproximationField(
        default=None,
        objects=[None, *APPROXIMATIONS],
        doc="the kernel of finite rank that replaces the kernel; None is the exact kernel, auto the exact kernel while"
        " that takes two seconds at most",
    )


def rank_field() -> Any:
    """Return a model's parameter for the number of features of an approximation; None is its default.

    Returns
    -------
    param.Parameter
        The parameter.

    Examples
    --------
    >>> from explorer.model import Model
    >>> from explorer.kernels.low_rank import rank_field
    >>> class Mine(Model):
    ...     rank = rank_field()
    >>> Mine().rank, Mine(rank=20).rank, Mine.param.rank.bounds
    (None, 20, (1, None))
    """
    return Whole(
        default=None,
        bounds=(1, None),
        softbounds=(10, 1000),
        allow_None=True,
        symbol="r",
        doc="how many features the approximation has; None is 200",
    )


def rng_field() -> Any:
    """Return a model's parameter for the seed of an approximation's random choices.

    Returns
    -------
    param.Parameter
        The parameter.

    Examples
    --------
    >>> from explorer.model import Model
    >>> from explorer.kernels.low_rank import rng_field
    >>> class Mine(Model):
    ...     rng = rng_field()
    >>> Mine().rng, Mine(rng=7).rng
    (0, 7)
    """
    return Whole(
        default=0,
        bounds=(0, None),
        softbounds=(0, 100),
        doc="the seed of random landmarks and frequencies, and of the points that an error is measured on",
    )
