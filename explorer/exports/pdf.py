"""A page as a PDF, printed by an installed program: a browser of Chromium's family, Playwright, or WeasyPrint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from explorer.checks import Refusal

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser"),
)
APPLICATIONS = {
    "darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
}
PATIENCE = 120  # most seconds that a browser may take to print
BEGINNING = b"%PDF-"


def printer() -> Callable[[str], bytes]:
    """Return the function that prints an HTML page as a PDF.

    Returns
    -------
    callable
        Maps the page's text to the bytes of a PDF.

    Raises
    ------
    Refusal
        If no program that prints pages is installed.
    """
    browser = next(_browsers(), None)
    if browser is not None:
        return lambda page: by_browser(page, browser)
    if find_spec("weasyprint") is not None:
        return _by_weasyprint
    raise Refusal(
        "a PDF is printed by a browser, and none is found here; install Chromium or Chrome, or weasyprint by"
        " `pip install weasyprint`, or write an .html file and print it from a browser."
    )


def _browsers() -> Iterator[str]:
    """Yield programs that print pages: those on the PATH, applications in their default folders, and Playwright's."""
    yield from filter(None, map(shutil.which, BROWSERS))
    yield from (each for each in APPLICATIONS.get(sys.platform, ()) if os.path.isfile(each))
    if find_spec("playwright") is not None:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as play:
            program = play.chromium.executable_path
        if os.path.isfile(program):
            yield program


def by_browser(page: str, browser: str) -> bytes:
    """Return a page as a PDF, printed by a browser of Chromium's family without a window.

    Raises
    ------
    Refusal
        If the browser prints nothing within PATIENCE.
    """
    with tempfile.TemporaryDirectory(prefix="explorer-", ignore_cleanup_errors=True) as folder:
        source, out = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        line = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run"]
        line += [f"--user-data-dir={Path(folder, 'profile')}", f"--print-to-pdf={out}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            line.append("--no-sandbox")  # otherwise Chromium does not start for root
        try:
            done = subprocess.run([*line, source.as_uri()], capture_output=True, timeout=PATIENCE, check=False)
            why = f"it ended with {done.returncode}"
        except subprocess.TimeoutExpired:
            why = f"it took more than {PATIENCE} seconds"
        printed = out.read_bytes() if out.is_file() else b""
    if not printed.startswith(BEGINNING):
        raise Refusal(f"{browser} printed no PDF: {why}; write an .html file and print it from a browser.")
    return printed


def _by_weasyprint(page):
    from weasyprint import HTML  # pyright: ignore[reportMissingImports]

    return HTML(string=page).write_pdf()
