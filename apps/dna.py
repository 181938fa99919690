"""The DNA lab: `panel serve apps/*.py`, then /dna."""

from explorer.pages import open_page

open_page("dna").servable()
