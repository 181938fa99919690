"""Safe calls of computations for a page: a refusal or an internal error becomes a message, and the page goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from explorer.checks import Refusal
from explorer.languages import message

WENT_WRONG = message("An internal error occurred here and was logged. The picture is the last good one.")
TOO_LARGE = message(
    "This takes more memory than there is, so the picture is the last good one; ask for fewer points or blocks."
)
LOG = logging.getLogger("explorer")
T = TypeVar("T")


def run_safely(compute: Callable[[], T], what: object) -> tuple[T | None, str]:
    """Call a function and turn its exceptions into a message for the user.

    Parameters
    ----------
    compute : callable
        Called without arguments.
    what : object
        Names the work in the log.

    Returns
    -------
    value : object or None
        The result of `compute`, or None if it failed.
    message : str
        Empty on success. A `Refusal` keeps its own message; every other exception gets a generic one and, except a lack
        of memory, is logged.
    """
    try:
        return compute(), ""
    except Refusal as refusal:
        return None, str(refusal)
    except (MemoryError, RecursionError):
        return None, TOO_LARGE
    except Exception:
        LOG.exception("%s failed", what)
        return None, WENT_WRONG
