"""Changes over time.

`scan` finds changes of distribution in rows ordered by time, one or several, and tests whether chance alone explains
them. `Monitor` compares a stream with a reference and may be looked at after every batch.
`row_dependence` tests whether rows depend on those before them. `look_pvalues` computes a t test that is repeated at
every look, which is not a valid test.
"""

from .columns import ColumnBreak as ColumnBreak
from .monitor import Monitor as Monitor
from .neighbours import RowDependence as RowDependence
from .neighbours import RowMemory as RowMemory
from .neighbours import row_dependence as row_dependence
from .peeking import look_pvalues as look_pvalues
from .result import ScanResult as ScanResult
from .scanning import scan as scan
