"""The finished map that the page opens with: the fits of the first preset, computed beforehand.

The file holds the `sweep_key` that they belong to, so another sweep never takes them. A test computes some of them anew
and says how the file is made.
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
    """`sweep_key` -> the Cells of the one sweep that comes with the package."""
    with np.load(FILE, allow_pickle=False) as file:
        key, names, values = (file[part] for part in ("key", "names", "values"))
    cells = Cells(dict(zip(names.tolist(), values, strict=True)), np.ones(values.shape[1], bool))
    return {tuple(key.tolist()): cells}
