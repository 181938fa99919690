"""The four kernels of the shrinkage papers' figures, under their names there."""

from __future__ import annotations

from .gaussian import Gaussian
from .polynomial import Linear, Polynomial

FOUR = {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": Gaussian()}
