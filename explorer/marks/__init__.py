"""Pictures as data: marks, the numbers that a slider moves, axes and colours, without a drawing library.

A picture is a list of marks, each of one kind (`curve`, `dots`, `boxes`, ...) over the columns of a source, in the
colour of a role. Its numbers are columns, or a `SliderColumn` if they change with a lab's slider. A `Picture` declares
all three. `views` draws it with Bokeh, and `svg` writes it as a standalone file. The labels of its marks give its
`legend`, its `description` as text, and its numbers as a `table`.
"""

from explorer.public_names.retired_names import forward as _forward

from .axes import Axis as Axis
from .axes import decades as decades
from .axes import file_unit_ticks as file_unit_ticks
from .axes import nice_ticks as nice_ticks
from .axes import signed_log as signed_log
from .axes import signed_value as signed_value
from .chart import Chart as Chart
from .chart import Columns as Columns
from .chart import chart as chart
from .curves_over_counts import Line as Line
from .curves_over_counts import OverCounts as OverCounts
from .mark import KME_IS_ONE as KME_IS_ONE
from .mark import KME_LINE as KME_LINE
from .mark import Band as Band
from .mark import Box as Box
from .mark import Grounds as Grounds
from .mark import HoverText as HoverText
from .mark import LazySliderColumn as LazySliderColumn
from .mark import Mark as Mark
from .mark import Marks as Marks
from .mark import Polyline as Polyline
from .mark import ReferenceLine as ReferenceLine
from .mark import SliderColumn as SliderColumn
from .mark import TextLabel as TextLabel
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
from .mark import heatmap as heatmap
from .mark import horizontal_lines as horizontal_lines
from .mark import mesh as mesh
from .mark import rings as rings
from .mark import segments as segments
from .mark import tipped as tipped
from .mark import vertical_lines as vertical_lines
from .mark import words as words
from .picture import Picture as Picture
from .picture import PlanePicture as PlanePicture
from .picture import SecondaryPicture as SecondaryPicture
from .picture import Sources as Sources
from .roles import ESTIMATES as ESTIMATES
from .roles import ROLES as ROLES
from .roles import colour as colour

_RETIRED = {
    "Told": "HoverText",
    "Said": "TextLabel",
    "Tint": "Band",
    "Rule": "ReferenceLine",
    "Path": "Polyline",
    "Rows": "SliderColumn",
    "SlowRows": "LazySliderColumn",
    "RowByRow": "Picture",
    "RowwisePicture": "Picture",
    "Small": "SecondaryPicture",
    "OverPlane": "PlanePicture",
    "Cloud": "Picture",
    "ScatterPicture": "Picture",
    "strokes": "segments",
    "uprights": "vertical_lines",
    "levels": "horizontal_lines",
    "shades": "heatmap",
    "own_ticks": "file_unit_ticks",
}
__getattr__ = _forward(__name__, _RETIRED, globals())
