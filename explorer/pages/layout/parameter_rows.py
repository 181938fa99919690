"""Rows of controls for the parameters of the kernel and of the user's estimators that a menu offers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.workbench import menu_models
from explorer.workbench.kernel_choice import TOGETHER, fields_of_kernel
from explorer.workbench.kernels import ALONE, moves_with_bandwidth

from .declarations import Conditional, Part


class Rows(Part):
    """Base class of rows of controls. Each is visible while its field has a meaning.

    Parameters
    ----------
    lab_class : type
        The class of the lab.
    """

    def __init__(self, lab_class: Any) -> None:
        self.lab_class = lab_class

    @property
    def inner(self) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleVariableOverride], asked anew each time
        """The current rows. A folder of models may have been added since the last access."""
        return tuple(Conditional(when, name) for name, when in self.rows().items())

    def build(self, layout: Any) -> Any:
        return pn.Column(*layout.each(self.inner), margin=0, sizing_mode="stretch_width")

    def rows(self) -> dict[str, Callable[[Any], object]]:
        """Return field -> the condition of the result under which its control is visible."""
        raise NotImplementedError


class KernelRows(Rows):
    """Rows for the parameters of the kernel, and of a second one if the lab combines two.

    Parameters
    ----------
    lab_class : type
        The class of the lab.
    """

    def rows(self) -> dict[str, Callable[[Any], object]]:
        names = self.lab_class.fields["kernel"].objects
        fields = [field for name in names for field in fields_of_kernel(name)]
        rows: dict[str, Callable[[Any], object]] = {field: _moved(field) for field in fields}
        if "combined" in self.lab_class.fields:
            rows |= dict(zip(TOGETHER, (_always, _two, _summed, _second_moves), strict=True))
        return rows


def _always(result):
    return True


def _moved(field):
    return lambda result: result.lab.moves(field, result.coordinates)


def _two(result):
    return result.lab.combined != ALONE


def _summed(result):
    return result.lab.combined == "sum"


def _second_moves(result):
    return _two(result) and moves_with_bandwidth(result.lab.second)


class EstimatorRows(Rows):
    """Rows for the parameters of the user's estimators.

    Parameters
    ----------
    lab_class : type
        The class of the lab.
    field : str, default "estimator"
        The field that chooses an estimator.
    """

    def __init__(self, lab_class: Any, field: str = "estimator") -> None:
        super().__init__(lab_class)
        self.field = field

    def rows(self) -> dict[str, Callable[[Any], object]]:
        of = menu_models.by_choice(self.lab_class, self.field)
        return {field: _chosen(self.field, word) for word, each in of.items() for field in each.fields}


def _chosen(field, word):
    return lambda result: getattr(result.lab, field) == word
