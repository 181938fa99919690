"""Components that a script draws in the language of their page."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import words_of
from explorer.languages import ENGLISH, current_language, translate


class LocalizedComponent(JSComponent):
    """Component whose script, the module `_module`, has texts of its own, which are translated here."""

    speaks: param.Dict = param.Dict(default={}, doc="English text of the script -> its translation")

    _module: ClassVar[str] = ""
    __abstract = True

    def __init__(self, **params: Any) -> None:
        if current_language() != ENGLISH:
            params["speaks"] = {words: translate(words) for words in words_of(self._module)}
        super().__init__(**params)
