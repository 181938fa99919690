"""What every answer of `explorer serve` says of itself to a browser: which scripts may run, and who may embed it."""

from __future__ import annotations

import mimetypes
import re
import secrets
from typing import TYPE_CHECKING, Any

from tornado.web import OutputTransform, RequestHandler

from explorer.markup import markup
from explorer.pages.previews.page_urls import HOST

if TYPE_CHECKING:
    from tornado.httputil import HTTPHeaders


POLICY = "Content-Security-Policy"
NONCE = secrets.token_hex(16)  # stands in a sheet for the word of each answer; what a visitor writes cannot have it
INLINE = re.compile(r"<script(?![^>]*\ssrc=)", re.IGNORECASE)


def with_nonces(html: str) -> str:
    """The HTML of a page whose inline scripts have the word NONCE, for which each answer puts one of its own."""
    return INLINE.sub(f'<script nonce="{NONCE}"', html)


def page_policy(nonce: str, host: str, embedding: str) -> str:
    """The policy of a page: our files and the inline scripts that have its nonce run, and no handler in markup does.

    Bokeh makes functions of the words of CustomJS, and Panel's components are modules that live in blobs.
    """
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""  # some browsers' 'self' has no websocket
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
    """The headers of every answer, also of files and errors; a document without a policy of its own runs nothing."""

    embedding = "frame-ancestors 'self'"  # of this process

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "same-origin"
        headers.pop("Server", None)
        if headers.get("Content-Type", "").startswith("text/html"):
            headers.pop("Access-Control-Allow-Origin", None)
            headers.setdefault(POLICY, f"default-src 'none'; style-src 'unsafe-inline'; {self.embedding}")
        return status_code, headers, chunk


def name_types() -> None:
    """Let files of scripts and styles have their types, whatever the system's table says: browsers take no other."""
    for ending, kind in ((".js", "text/javascript"), (".mjs", "text/javascript"), (".css", "text/css")):
        mimetypes.add_type(kind, ending)


def plain_page(title: str, says: str, home: str, seconds: float | None = None) -> str:
    """A document without scripts; with `seconds` the browser asks for its address again so much later."""
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
    """What no address leads to: a short page with the way home."""

    def prepare(self) -> None:
        self.set_status(404)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        says = "There is no page at this address; home has all labs."
        application: Any = self.application  # Bokeh's, which knows its prefix
        self.finish(plain_page("Nothing is here", says, f"{application.prefix}/"))
