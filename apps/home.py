"""The home page: `panel serve apps/*.py --index home`, then /."""

from explorer.pages import open_page

open_page("home").servable()
