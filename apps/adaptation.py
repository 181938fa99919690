"""The Adaptation lab: `panel serve apps/*.py`, then /adaptation."""

from explorer.pages import open_page

open_page("adaptation").servable()
