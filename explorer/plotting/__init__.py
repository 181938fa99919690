"""Results as HoloViews objects in the labs' style: `plot(a) * plot(b)`, `plot(a) + plot(b)` and `.opts(...)` work.

`plot` looks up the kind of a thing. One module per kind makes its picture of marks, as a `Drawing`. `pictures` draws it
with HoloViews, and the gallery as SVG. HoloViews is loaded when something is drawn.
"""

from explorer.public_names.retired_names import forward as _forward

from .loading import extension as extension
from .plot import plot as plot
from .save import save as save

_RETIRED = {"explore": "explorer:explore"}
__getattr__ = _forward(__name__, _RETIRED, globals())
