"""Base classes of labs, independent of any widget: a lab's state, its result made of stages, its stories and steps."""

from explorer.public_names.retired_names import forward as _forward

from .cache import Cache as Cache
from .lab import Lab as Lab
from .lab import copied as copied
from .result import Result as Result
from .stages import deferred as deferred
from .stages import derived as derived
from .stages import effect as effect
from .stages import for_picture as for_picture
from .stages import measure as measure
from .stages import stage as stage
from .stages import stage_when as stage_when
from .stories import Choose as Choose
from .stories import Place as Place
from .stories import Preset as Preset
from .stories import Step as Step
from .stories import Story as Story

_RETIRED = {"late": "deferred", "shown": "for_picture", "given": "stage_when"}
__getattr__ = _forward(__name__, _RETIRED, globals())
