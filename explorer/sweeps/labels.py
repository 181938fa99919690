"""What an axis is called, in which unit, and which values it may have: from the model's parameter of that name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import param

from explorer.checks import Refusal
from explorer.model import Model
from explorer.printing import echo

if TYPE_CHECKING:
    from explorer.parameters import LogNumber


class Label(NamedTuple):
    """A parameter that an axis is, and whether it is known to be that one, or only has its name."""

    parameter: Any  # of param, whose kinds have different fields
    sure: bool

    def attributes(self) -> dict[str, str]:
        """Attributes of a coordinate; empty words are left out."""
        said = {
            "long_name": self.parameter.name,
            "symbol": getattr(self.parameter, "symbol", ""),
            "units": getattr(self.parameter, "unit", ""),
            "description": self.parameter.doc or "",
        }
        return {key: " ".join(word.split()) for key, word in said.items() if word}

    def check(self, values: Sequence[Any]) -> None:
        """Raise what the parameter raises for a value that it does not take, before anything is computed."""
        if isinstance(self.parameter, param.Selector):
            if strange := [value for value in values if value not in self.parameter.objects]:
                known = ", ".join(map(str, self.parameter.objects))
                raise Refusal(f"{self.parameter.name} must be one of {known}, not {echo(strange[0])}.")
            return
        for value in values:
            self.parameter._validate(value)


def described(key: str | LogNumber, model: type[Any] | None = None) -> Label | None:
    """The label of an axis: a parameter as it is, one of the study's model, or the library's first of that name.

    Or None.
    """
    if isinstance(key, param.Parameter):
        return Label(key, True)
    if model is not None and key in model.fields:
        return Label(model.fields[key], True)
    return next((Label(found.fields[key], False) for found in catalogue() if key in found.fields), None)


def catalogue() -> Iterator[Any]:
    """The library's models: kernels, then estimators, then laws."""
    return (each for package in ("kernels", "estimators", "embeddings") for each in models_of(package))


def models_of(package: str) -> list[type[Any]]:
    """The models that a package shows, in its own order."""
    public = vars(import_module(f"explorer.{package}")).values()
    return [each for each in public if isinstance(each, type) and issubclass(each, Model)]
