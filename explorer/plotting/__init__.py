"""Results as HoloViews objects in the look of the labs: `plot(a) * plot(b)`, `plot(a) + plot(b)` and `.opts(...)` work.

`plot` looks up what a thing is; a module for each kind of thing makes its elements, whose dimensions have labels and
units, and `style` gives them the labs' colours and letters. `explore` puts a model's controls beside its picture.
HoloViews is loaded when something is drawn.
"""

from .explore import explore as explore
from .loading import extension as extension
from .plot import plot as plot
from .save import save as save
