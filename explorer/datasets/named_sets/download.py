"""Download of a web address, within limits of size and time."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from explorer.checks import Refusal
from explorer.datasets.files import contents

WAIT = 20.0  # longest pause of the server, in seconds
PATIENCE = 120.0  # longest time for one answer, in seconds


def get(address: str) -> bytes:
    """Return the bytes of a server's answer, at most MEGABYTES.

    The answer is read in parts as they arrive, so that the time limit holds for a slow server too.

    Raises
    ------
    ConnectionError
        If the server cannot be reached, refuses, breaks off or is too slow.
    Refusal
        If the answer is larger than the limit.
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
        reason = getattr(error, "reason", error)  # the error that urllib wraps
        if isinstance(reason, TimeoutError):
            raise ConnectionError(f"{host} gives no sign for {WAIT:g} seconds") from error
        raise ConnectionError(f"{host} cannot be reached ({getattr(reason, 'strerror', None) or reason})") from error
    if size > limit:
        raise Refusal(f"{address} is larger than {contents.MEGABYTES} MB, the limit; nothing of it was kept.")
    if time.monotonic() > end:
        raise ConnectionError(f"{host} sends too slowly for {PATIENCE:g} seconds")
    return b"".join(parts)
