"""The lessons in the browser: a list of all of them, and each one to read, with what its cells show."""

from .page import LessonsPage as LessonsPage
