"""Standalone SVG of pictures of marks: no script, no external address, no drawing library.

`draw_standalone` draws any `marks.Picture` of a lab's result with its title, axes and text, for light and dark
backgrounds; `thumbnail` without them, in the colours of a page; and `draw_for_notebook` in those of a notebook cell.
"""

from .canvas import draw_standalone as draw_standalone
from .canvas import frame_of as frame_of
from .notebook_picture import draw_for_notebook as draw_for_notebook
from .thumbnail import thumbnail as thumbnail
