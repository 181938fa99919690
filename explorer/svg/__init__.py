"""Pictures of marks as SVG that stands alone: no script, no address, no library that draws.

`drawn_alone` draws any `marks.Picture` of a lab's result with its title, axes and words, for light and dark grounds,
`thumbnail` without them, in the colours of a page, and `drawn_plain` in those of a notebook cell.
"""

from .canvas import draw_standalone as draw_standalone
from .canvas import frame_of as frame_of
from .notebook_picture import draw_for_notebook as draw_for_notebook
from .thumbnail import thumbnail as thumbnail
