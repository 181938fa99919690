"""The papers' sets on OpenML (openml.org), each downloaded once and then read from the cache.

scikit-learn's fetch_openml was considered and not used. It waits and reads without limit, leaves a file with the wrong
MD5 in its cache, and leaves out columns that OpenML marks as ignored, among them the target of bupa. Tests could turn
it to another server only by replacing its private names.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from explorer.checks import Refusal
from explorer.datasets.columns.table import Table
from explorer.datasets.files import arff
from explorer.printing import plural

from . import cache, download

if TYPE_CHECKING:
    from .registry import Entry


SITE = "https://www.openml.org"


def load_table(entry: Entry, fetch: bool) -> Table | None:
    """Return the Table of a registry entry from the cache or from OpenML, or None if it is in neither place.

    A download is checked before it is stored: by the MD5 that OpenML states and by the shape in the registry.

    Parameters
    ----------
    entry : Entry
        The set; it has an `openml` number.
    fetch : bool
        Whether OpenML may be asked if the cache lacks the set.

    Returns
    -------
    Table or None
        The table, or None if the cache lacks it and `fetch` is False.

    Raises
    ------
    ConnectionError
        If OpenML cannot be reached or breaks off.
    Refusal
        If the file is not the known set.
    """
    stem = f"{entry.name}-{entry.openml}"
    raw = cache.find(stem)
    if raw is not None:
        return _parse_known(entry, raw)
    if not fetch:
        return None
    address, md5 = _describe(entry)
    raw = _get(entry, address)
    if cache.md5(raw) != md5:
        raise Refusal(
            f"{entry.name}: the file from {urlsplit(address).hostname} has the MD5 {cache.md5(raw)[:12]}… where OpenML"
            f" states {md5[:12]}…; it broke off or was altered on its way, and nothing was kept: load it again."
        )
    table = _parse_known(entry, raw)
    cache.store(stem, raw)
    return table


def _parse_known(entry, raw):
    """Return the Table in OpenML's file, without the columns that the papers' set lacks.

    Raises
    ------
    Refusal
        If the file's shape is not the known one.
    """
    name = f"OpenML's data set {entry.openml}"
    whole = arff.parse(raw, name, entry.codes)
    columns = tuple(column for column in whole.columns if column.name not in entry.unused)
    words = tuple(column.name for column in columns[:-1] if column.numbers is None)
    d = len(columns) - 1 - len(words)
    if (whole.rows, d, words) != (entry.n, entry.d, entry.words):
        raise Refusal(
            f"{name} has {plural(whole.rows, 'row')}, {d} columns of numbers and {len(words)} of words, where"
            f" {entry.name} has"
            f" {entry.n}, {entry.d} and {len(entry.words)}; it is another set and was not kept: put {entry.file} into"
            " the folder that the environment variable EXPLORER_DATA names."
        )
    return Table(whole.name, columns, whole.hash)


def _describe(entry):
    """Return (address, MD5) of a set's file, as OpenML's description states them."""
    said = _get(entry, f"{SITE}/api/v1/json/data/{entry.openml}")
    try:
        description = json.loads(said)["data_set_description"]
        url, md5 = str(description["url"]), bytes.fromhex(description["md5_checksum"]).hex()
        parts, site = urlsplit(url), urlsplit(SITE)
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal(
            f"{entry.name}: {urlsplit(SITE).hostname} answers with something else than the description of data set "
            f"{entry.openml}; a network's sign-in page does so too: open {SITE}/d/{entry.openml} in a browser."
        ) from error
    at_home = parts.netloc == site.netloc or f".{parts.hostname}".endswith(".openml.org")
    if parts.scheme not in ("http", "https") or not at_home or not url.isascii():  # urlopen would read file:///, too
        raise Refusal(
            f"{entry.name}: OpenML names the address {url[:100]!r}, which is not OpenML's own; it was not opened."
        )
    return parts._replace(scheme=site.scheme).geturl(), md5


def _get(entry, address):
    """Download an address, with a message that names all ways to obtain the set."""
    try:
        return download.get(address)
    except ConnectionError as error:
        raise ConnectionError(
            f"{entry.name} is not on this machine, and {error}. Try again with a network, or put {entry.file} into the "
            f"folder that the environment variable EXPLORER_DATA names, or copy the folder {cache.folder()} from where "
            f"{entry.name} was loaded before (EXPLORER_CACHE names another folder)."
        ) from error
