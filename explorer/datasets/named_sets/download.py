"""The bytes at an address of the web, within limits of size and patience."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from explorer.checks import Refusal
from explorer.datasets.files import contents

WAIT = 20.0  # seconds without a sign of the server
PATIENCE = 120.0  # seconds for one answer


def get(address: str) -> bytes:
    """The bytes that a server answers with, at most MEGABYTES; read as they come, so that the clock is looked at.

    Raises ConnectionError for a server that cannot be reached, refuses, breaks off or is too slow; ValueError for more
    bytes.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    host, limit, end = urlsplit(address).hostname, contents.MEGABYTES * 1_000_000, time.monotonic() + PATIENCE
    parts, size = [], 0
    try:
        with urlopen(Request(address, headers={"User-Agent": "kernel-mean-explorer"}), timeout=WAIT) as answer:
            while size <= limit and time.monotonic() <= end and (part := answer.read1(65536)):
                parts.append(part)
                size += len(part)
    except HTTPError as error:
        error.close()
        raise ConnectionError(f"{host} answers with the error {error.code}") from error
    except HTTPException as error:
        raise ConnectionError(f"{host} breaks off its answer") from error
    except OSError as error:
        reason = getattr(error, "reason", error)  # what urllib wraps
        if isinstance(reason, TimeoutError):
            raise ConnectionError(f"{host} gives no sign for {WAIT:g} seconds") from error
        raise ConnectionError(f"{host} cannot be reached ({getattr(reason, 'strerror', None) or reason})") from error
    if size > limit:
        raise Refusal(f"{address} is larger than {contents.MEGABYTES} MB, the limit; nothing of it was kept.")
    if time.monotonic() > end:
        raise ConnectionError(f"{host} sends too slowly for {PATIENCE:g} seconds")
    return b"".join(parts)
