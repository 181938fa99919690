"""Lines of pictures that still draw themselves."""

from explorer.marks.over_counts import Line as Line
from explorer.marks.over_counts import apart as apart
