"""Points that represent an embedding, by the remaining distance to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks import Axis, Columns, chart, curve

from .drawings import Drawing
from .intervals import WIDE, decades
from .roles import checked_role

if TYPE_CHECKING:
    from explorer.learning import Herd


def of_herd(herd: Herd, role: str = "truth", label: str = "") -> Drawing:
    """Draw the RKHS distance to the target of the first 1, 2, ..., m chosen points."""
    counts = np.arange(1, len(herd.errors) + 1)
    x = Axis("points chosen", name="count", log=decades(counts, WIDE))
    y = Axis("distance to the target", name="error", log=decades(herd.errors, WIDE))
    path = curve(Columns(x=counts, y=herd.errors), checked_role(role), label=label, hover={})
    title = f"{counts[-1]} points, {herd.errors[-1]:.3g} from the target"
    return Drawing(chart(title, x, y, [path]))
