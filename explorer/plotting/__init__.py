"""Results as HoloViews objects in the labs' style: `plot(a) * plot(b)`, `plot(a) + plot(b)` and `.opts(...)` work.

`plot` looks up the kind of a thing. One module per kind makes its elements, whose dimensions have labels and units, and
`style` gives them the labs' colours and fonts. `explore` shows a model's controls next to its picture. HoloViews is
loaded when something is drawn.
"""

from .explore import explore as explore
from .loading import extension as extension
from .plot import plot as plot
from .save import save as save
