"""The finished map that the page opens with: the precomputed fits of the first preset.

The file holds the `sweep_key` of its fits, so that no other sweep can use them. A test recomputes some of them and
says how the file is made.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .running import Cells

if TYPE_CHECKING:
    from collections.abc import Mapping


FILE = Path(__file__).with_name("first_map.npz")


@cache
def shipped() -> Mapping[tuple[str, ...], Cells]:
    """Return `sweep_key` -> cells of the only sweep that comes with the package."""
    with np.load(FILE, allow_pickle=False) as file:
        key, names, values = (file[part] for part in ("key", "names", "values"))
    cells = Cells(dict(zip(names.tolist(), values, strict=True)), np.ones(values.shape[1], bool))
    return {tuple(key.tolist()): cells}
