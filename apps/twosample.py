"""The Two-sample lab: `panel serve apps/*.py`, then /twosample."""

from explorer.pages import open_page

open_page("twosample").servable()
