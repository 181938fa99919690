"""Pictures of marks as SVG that stands alone: no script, no address, no library that draws.

`drawn_alone` draws any `marks.Picture` of a lab's result with its title, axes and words, for light and dark grounds.
"""

from .sheet import drawn_alone as drawn_alone
