"""What a page that is no lab's asks of the browser."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from explorer.browser import component

from .uploads import COOKIE


class VisitorCookie(JSComponent):
    """Has the browser keep the visitor's key, and be dark where the system is."""

    cookie: param.String[str] = param.String(COOKIE, doc="what the key is kept as")
    key: param.String[str] = param.String(doc="the visitor's key; empty before there is a file of his own")
    follows: param.Boolean[bool] = param.Boolean(False, doc="whether the page is dark where the visitor's system is")

    _esm = component("keeper.keeper")
