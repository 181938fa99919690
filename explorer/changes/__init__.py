"""Changes over time.

scan finds the row at which rows ordered by time change their distribution, or several such rows, and says whether
chance alone would have them look so. Monitor watches a stream beside a reference, and may be looked at after every
batch. row_dependence says whether rows depend on those before them. look_pvalues has the p of a t test that is asked
again and again, which is no such test.
"""

from .columns import ColumnBreak as ColumnBreak
from .monitor import Monitor as Monitor
from .neighbours import RowDependence as RowDependence
from .neighbours import RowMemory as RowMemory
from .neighbours import row_dependence as row_dependence
from .peeking import look_pvalues as look_pvalues
from .result import ScanResult as ScanResult
from .scanning import scan as scan
