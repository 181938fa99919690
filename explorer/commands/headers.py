"""Security headers of every response of `explorer serve`: which scripts may run, and which pages may embed it."""

from __future__ import annotations

import mimetypes
import re
import secrets
from typing import TYPE_CHECKING, Any

from tornado.web import OutputTransform, RequestHandler

from explorer.markup import markup
from explorer.pages.previews.meta_tags import HOST

if TYPE_CHECKING:
    from tornado.httputil import HTTPHeaders


POLICY = "Content-Security-Policy"
# Placeholder in the page template for the nonce of each response. It is random, so no visitor's text can contain it.
NONCE = secrets.token_hex(16)
INLINE = re.compile(r"<script(?![^>]*\ssrc=)", re.IGNORECASE)


def with_nonces(html: str) -> str:
    """Return a page's HTML with the placeholder NONCE in its inline scripts; each response fills in its own nonce."""
    return INLINE.sub(f'<script nonce="{NONCE}"', html)


def page_policy(nonce: str, host: str, embedding: str) -> str:
    """Return the policy of a page: only our files and inline scripts with its nonce run, and no handlers in markup.

    Bokeh compiles the code of CustomJS to functions (hence 'unsafe-eval'), and Panel's components are modules in blobs.
    """
    # In some browsers 'self' does not include websockets.
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            f"connect-src 'self' blob: data:{sockets}",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            embedding,
        )
    )


class Headers(OutputTransform):
    """Headers of every response, also of files and errors; a document without its own policy may run no scripts."""

    embedding = "frame-ancestors 'self'"  # the same for all responses of a process

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Set the headers on the first chunk of a response."""
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "same-origin"
        headers.pop("Server", None)
        if headers.get("Content-Type", "").startswith("text/html"):
            headers.pop("Access-Control-Allow-Origin", None)
            headers.setdefault(POLICY, f"default-src 'none'; style-src 'unsafe-inline'; {self.embedding}")
        return status_code, headers, chunk


def name_types() -> None:
    """Set the MIME types of scripts and styles, whatever the system's table has: browsers accept no others."""
    for ending, kind in ((".js", "text/javascript"), (".mjs", "text/javascript"), (".css", "text/css")):
        mimetypes.add_type(kind, ending)


def plain_page(title: str, says: str, home: str, seconds: float | None = None) -> str:
    """Return a document without scripts; with `seconds`, the browser reloads its address after that time."""
    again = markup("") if seconds is None else markup("<meta http-equiv='refresh' content='{}'>", str(seconds))
    return str(
        markup(
            "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>{again}<meta "
            "name='viewport' content='width=device-width'><style>body {{ font: 16px/1.5 system-ui, sans-serif; "
            "max-width: 34em; margin: 15vh auto; padding: 0 16px; color: #14171C; background: #FBFBF9 }}</style></head>"
            "<body><h1>{title}</h1><p>{says}</p><p><a href='{home}'>Kernel Mean Explorer</a></p></body></html>",
            title=title,
            says=says,
            home=home,
            again=again,
        )
    )


class NotFound(RequestHandler):
    """Response for unknown addresses: a short page with a link to the home page."""

    def prepare(self) -> None:
        """Send the page with status 404."""
        self.set_status(404)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        says = "There is no page at this address; home has all labs."
        application: Any = self.application  # Bokeh's application, which knows its prefix
        self.finish(plain_page("Nothing is here", says, f"{application.prefix}/"))
