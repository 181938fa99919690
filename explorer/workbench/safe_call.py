"""What is computed for a hand: a refusal and a bug of ours are sentences, and neither ends the page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from explorer.checks import Refusal

WENT_WRONG = "Something went wrong here, and the picture is the last good one. It is a bug of ours, and it is logged."
TOO_LARGE = "This takes more memory than there is, so the picture is the last good one; ask for fewer points or blocks."
LOG = logging.getLogger("explorer")
T = TypeVar("T")


def run_safely(compute: Callable[[], T], what: object) -> tuple[T | None, str]:
    """(what it gives, no sentence), or (None, why not): a refusal's own words, or that of a bug, which is logged."""
    try:
        return compute(), ""
    except Refusal as refusal:
        return None, str(refusal)
    except (MemoryError, RecursionError):
        return None, TOO_LARGE
    except Exception:
        LOG.exception("%s failed", what)
        return None, WENT_WRONG
