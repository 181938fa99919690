"""DataFrames of pandas, polars, pyarrow and the like, as columns by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import narwhals
import narwhals.exceptions

from .checks import Refusal, shown


def columns_of(table: Any) -> dict[str, Any] | None:
    """name -> column (n,) of a DataFrame or of a mapping; None of anything else.

    Names are words, as of columns that a DataFrame counts. ValueError where two columns are called alike.
    """
    if isinstance(table, Mapping):
        named = [(str(name), column) for name, column in table.items()]
    else:
        try:
            frame = narwhals.from_native(table, eager_only=True, pass_through=True)
        except narwhals.exceptions.DuplicateError:
            raise _alike(map(str, table.columns)) from None
        if not isinstance(frame, narwhals.DataFrame):
            return None
        named = [(str(name), frame[:, j].to_numpy()) for j, name in enumerate(frame.columns)]
    columns = dict(named)
    if len(columns) < len(named):
        raise _alike(name for name, _ in named)
    return columns


def _alike(names):
    """The Refusal of columns of which two have one name."""
    name, _ = Counter(names).most_common(1)[0]
    return Refusal(f"two columns are called {shown(name)}; give every column a name of its own.")
