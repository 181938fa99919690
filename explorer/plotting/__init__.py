"""Pictures for notebooks and scripts, as HoloViews objects. HoloViews is loaded when the first picture is asked for."""

from .explore import explore as explore
