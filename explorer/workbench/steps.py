"""Earlier place of `slider_stops`: labs of users import the stops of their sliders from here."""

from explorer.public_names.retired_names import forward

from . import slider_stops

_RETIRED = {name: name for name in ("even_steps", "log_steps", "steps_of", "with_value")}
__getattr__ = forward(__name__, _RETIRED, vars(slider_stops))
