"""The controls of what menus offer: a row for each parameter of the kernel and of the estimator that are chosen."""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.workbench import offers
from explorer.workbench.kernel_choice import TOGETHER, KernelChoice
from explorer.workbench.kernels import ALONE, moves_with_bandwidth

from .declare import Part, When


class Rows(Part):
    """Rows of controls, each there where its field has a meaning; which there are is asked when a page is laid out."""

    def build(self, layout: Any) -> Any:
        """Panel's own."""
        rows = [When(when, name) for name, when in self.rows(layout.page.lab).items()]
        return pn.Column(*layout.each(rows), margin=0, sizing_mode="stretch_width")

    def rows(self, lab: Any) -> dict[str, Any]:
        """Field -> the condition of the result under which its control is there."""
        raise NotImplementedError


class KernelRows(Rows):
    """The parameters of the kernel, and of a second one where the lab takes two."""

    def rows(self, lab: KernelChoice) -> dict[str, Any]:
        names = lab.param["kernel"].objects
        fields = [field for name in names for field in lab.of_kernel(name)]
        rows: dict[str, Any] = {field: _moved(field) for field in dict.fromkeys(fields)}
        if "combined" in type(lab).fields:
            rows |= dict(zip(TOGETHER, (lambda result: True, _two, _summed, _second_moves), strict=True))
        return rows


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

    def __init__(self, field: str = "estimator") -> None:
        self.field = field

    def rows(self, lab: Any) -> dict[str, Any]:
        of = offers.by_choice(type(lab), self.field)
        return {field: _chosen(self.field, word) for word, each in of.items() for field in each.fields}


def _chosen(field, word):
    return lambda result: getattr(result.lab, field) == word
