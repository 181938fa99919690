"""Pictures as data: marks, the numbers that a slider moves, axes and colours, without anything that draws.

A picture is a list of marks, each of one kind (`curve`, `dots`, `boxes`, ...) over the columns of a source, in the
colour of a role; its numbers are columns, or `Rows` where they move with a lab's slider. A `Picture` says all three.
`views` draws it with Bokeh, and `svg` by hand as a file that stands alone. From what its marks are called follow its
`legend`, its `description` in words, and its numbers as a `table`.
"""

from .axes import Axis as Axis
from .axes import decades as decades
from .axes import nice_ticks as nice_ticks
from .axes import own_ticks as own_ticks
from .axes import signed_log as signed_log
from .axes import signed_value as signed_value
from .clouds import Cloud as Cloud
from .curves_over_counts import Line as Line
from .curves_over_counts import OverCounts as OverCounts
from .mark import KME_IS_ONE as KME_IS_ONE
from .mark import KME_LINE as KME_LINE
from .mark import Box as Box
from .mark import Grounds as Grounds
from .mark import Mark as Mark
from .mark import Marks as Marks
from .mark import Path as Path
from .mark import Rows as Rows
from .mark import Rule as Rule
from .mark import Said as Said
from .mark import SlowRows as SlowRows
from .mark import Tint as Tint
from .mark import Told as Told
from .mark import area as area
from .mark import bars as bars
from .mark import bars_across as bars_across
from .mark import boxes as boxes
from .mark import by as by
from .mark import cells as cells
from .mark import circles as circles
from .mark import curve as curve
from .mark import dots as dots
from .mark import ellipses as ellipses
from .mark import field_of as field_of
from .mark import levels as levels
from .mark import rings as rings
from .mark import shades as shades
from .mark import strokes as strokes
from .mark import tipped as tipped
from .mark import uprights as uprights
from .mark import words as words
from .picture import OverPlane as OverPlane
from .picture import Picture as Picture
from .picture import RowByRow as RowByRow
from .picture import Small as Small
from .roles import ESTIMATES as ESTIMATES
from .roles import ROLES as ROLES
from .roles import colour as colour
