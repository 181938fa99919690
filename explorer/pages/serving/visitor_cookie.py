"""Browser-side settings of the pages that do not belong to a lab: the visitor's cookie and the colour theme."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from explorer.browser import component

from .upload_store import COOKIE


class VisitorCookie(JSComponent):
    """Component that stores the visitor's key as a cookie, and follows the system's dark mode."""

    cookie: param.String[str] = param.String(COOKIE, doc="the name of the cookie")
    key: param.String[str] = param.String(doc="the visitor's key; empty before the first upload")
    follows: param.Boolean[bool] = param.Boolean(False, doc="whether the page follows the system's dark mode")

    _esm = component("keeper.keeper")
