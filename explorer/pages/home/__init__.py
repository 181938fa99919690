"""The home page, at the top of what is served: one picture to drag, and the questions that the labs answer."""

from .page import HomePage as HomePage
