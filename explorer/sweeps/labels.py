"""Label of an axis: its name, unit and allowed values, from the model parameter of that name."""

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
    """Model parameter that an axis stands for, and whether that is certain or only their names agree."""

    parameter: Any  # a parameter of param; its types have different fields
    sure: bool

    def attributes(self) -> dict[str, str]:
        """Return the attributes of a coordinate, without empty ones."""
        texts = {
            "long_name": self.parameter.name,
            "symbol": getattr(self.parameter, "symbol", ""),
            "units": getattr(self.parameter, "unit", ""),
            "description": self.parameter.doc or "",
        }
        return {key: " ".join(text.split()) for key, text in texts.items() if text}

    def check(self, values: Sequence[Any]) -> None:
        """Raise ValueError or TypeError, before anything is computed, if the parameter does not take a value."""
        if isinstance(self.parameter, param.Selector):
            if strange := [value for value in values if value not in self.parameter.objects]:
                known = ", ".join(map(str, self.parameter.objects))
                raise Refusal(f"{self.parameter.name} must be one of {known}, not {echo(strange[0])}.")
            return
        for value in values:
            self.parameter._validate(value)


def label_of(key: str | LogNumber, model: type[Any] | None = None) -> Label | None:
    """Return the label of an axis, or None if no parameter is known.

    The parameter is the key itself, or the one of that name in the study's model, or the library's first one.
    """
    if isinstance(key, param.Parameter):
        return Label(key, True)
    if model is not None and key in model.fields:
        return Label(model.fields[key], True)
    return next((Label(each.fields[key], False) for each in catalogue() if key in each.fields), None)


def catalogue() -> Iterator[Any]:
    """Yield the library's models: kernels, then estimators, then distributions."""
    return (each for package in ("kernels", "estimators", "embeddings") for each in models_of(package))


def models_of(package: str) -> list[type[Any]]:
    """Return the models that a package exports, in its own order.

    Parameters
    ----------
    package : str
        Name of the package, without "explorer.".

    Returns
    -------
    list of type
        The classes.
    """
    public = vars(import_module(f"explorer.{package}")).values()
    return [each for each in public if isinstance(each, type) and issubclass(each, Model)]
