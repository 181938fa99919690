"""The controls of what menus offer: a row for each parameter of the kernel and of the estimator that are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.workbench import menu_models
from explorer.workbench.kernel_choice import TOGETHER, fields_of_kernel
from explorer.workbench.kernels import ALONE, moves_with_bandwidth

from .declarations import Conditional, Part


class Rows(Part):
    """Rows of controls of a lab class, each there where its field has a meaning."""

    def __init__(self, lab_class: Any) -> None:
        self.lab_class = lab_class

    @property
    def inner(self) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleVariableOverride], asked anew each time
        """The rows as there are now: a folder of models may have been added since."""
        return tuple(Conditional(when, name) for name, when in self.rows().items())

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        return pn.Column(*layout.each(self.inner), margin=0, sizing_mode="stretch_width")

    def rows(self) -> dict[str, Callable[[Any], object]]:
        """Field -> the condition of the result under which its control is there."""
        raise NotImplementedError


class KernelRows(Rows):
    """The parameters of the kernel, and of a second one where the lab takes two."""

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
    """The parameters of estimators of one's own; `field` is the field that chooses one."""

    def __init__(self, lab_class: Any, field: str = "estimator") -> None:
        super().__init__(lab_class)
        self.field = field

    def rows(self) -> dict[str, Callable[[Any], object]]:
        of = menu_models.by_choice(self.lab_class, self.field)
        return {field: _chosen(self.field, word) for word, each in of.items() for field in each.fields}


def _chosen(field, word):
    return lambda result: getattr(result.lab, field) == word
