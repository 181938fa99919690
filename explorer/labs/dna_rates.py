"""How both tests do in further draws of reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import checks


@dataclass(frozen=True)
class Rates:
    """The p-values of both tests, (draws,) each."""

    plain: np.ndarray
    monk: np.ndarray

    def __post_init__(self):
        for name in ("plain", "monk"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @property
    def count(self):
        """How many draws there are."""
        return len(self.plain)

    @property
    def nbytes(self):
        """Memory, for a cache."""
        return self.plain.nbytes + self.monk.nbytes

    def rejections(self, level):
        """In how many draws each test tells the samples apart at a level: (plain, monk)."""
        return int((self.plain <= level).sum()), int((self.monk <= level).sum())
