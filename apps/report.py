"""The report as a page: `panel serve apps/*.py`, then /report."""

from explorer.pages import open_page

open_page("report").servable()
