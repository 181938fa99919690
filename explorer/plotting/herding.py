"""Points that represent an embedding, by the remaining distance to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .intervals import WIDE, decades
from .style import dimension, holoviews, of_arrays, overlay, styled, tint

if TYPE_CHECKING:
    from explorer.learning import Herd


def of_herd(herd: Herd, role: str = "truth", label: str = "") -> Any:
    """Draw the RKHS distance to the target of the first 1, 2, ..., m chosen points."""
    hv, counts = holoviews(), np.arange(1, len(herd.errors) + 1)
    axes = {"kdims": [dimension("points chosen", "count")], "vdims": [dimension("distance to the target", "error")]}
    curve = of_arrays(hv.Curve, (counts, herd.errors), label=label, **axes)
    log = {"logx": decades(counts, WIDE), "logy": decades(herd.errors, WIDE)}
    title = f"{counts[-1]} points, {herd.errors[-1]:.3g} from the target"
    return overlay([styled(curve, color=tint(role), line_width=3, tools=["hover"], **log)], title)
