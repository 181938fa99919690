"""Earlier place of `layout.declarations`: labs of users import the parts of their pages from here."""

from explorer.public_names.retired_names import forward

from .layout import declarations

_RETIRED = {
    "Abreast": "InputRow",
    "Auto": "AutoButton",
    "Chooser": "ChoiceWidget",
    "Flow": "WrapRow",
    "Hero": "MainPicture",
    "Mover": "MainSlider",
    "Small": "PictureSlot",
    "Takes": "UserDataSection",
    "When": "Conditional",
    **{name: name for name in ("Button", "Column", "Group", "Menu", "Pictures", "Radio", "Stack", "Switch", "Toggle")},
}
__getattr__ = forward(__name__, _RETIRED, vars(declarations))
